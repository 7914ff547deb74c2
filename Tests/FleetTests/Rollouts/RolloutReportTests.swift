import FleetModel
import Testing

@testable import Fleet

@Suite struct RolloutReportTests {
  @Test func `U8 what is published adds up, and begins with who needs somebody`() {
    var run = RolloutRun(
      RolloutRun.plan(6, refused: [RolloutRun.board(9): "no build fits"]) { $0.retries = 0 })
    run.outcome = { board, _ in
      board == 2 ? (.stranded("it answers no more"), .seconds(60)) : (.done, .seconds(90))
    }
    run.send(.begin)
    run.run(until: RolloutRun.start + .seconds(60))
    let report = run.rollout.report(began: RolloutRun.start, at: run.now)
    #expect(report.phase == .aborted && report.reason == "1 board waits in the bootloader, without firmware")
    #expect(
      report.counts == [
        .total: 7, .done: 0, .failed: 0, .stranded: 1, .pending: 0, .running: 1, .skipped: 4, .refused: 1,
      ])
    #expect(report.isActive)
    #expect(
      report.rows.map { "\($0.board.address.rawValue) \($0.state.rawValue)" } == [
        "2 stranded", "1 running", "3 skipped", "4 skipped", "5 skipped", "6 skipped", "9 refused",
      ])
    #expect(report.rows.first?.reason == "it answers no more" && report.rows.last?.reason == "no build fits")
  }

  @Test func `what happens is told once, by the phases and by who paused it`() {
    var run = RolloutRun(RolloutRun.plan(4))
    var types = RolloutChanges.types(from: nil, to: run.rollout)
    func send(_ event: Rollout.Event) {
      let before = run.rollout
      run.send(event)
      types += RolloutChanges.types(from: before, to: run.rollout)
    }
    send(.begin)
    send(.ended(RolloutRun.board(1), .done))
    send(.pause)
    send(.pause)
    send(.resume)
    send(.ended(RolloutRun.board(2), .done))
    send(.abort("asked for"))
    #expect(types == ["started", "paused", "resumed", "soaking", "aborted"])
    #expect(
      RolloutChanges.fields(of: run.rollout) == [
        "id": "fw-1", "group": "pumps", "version": "1.7.3", "total": 4, "done": 2, "failed": 0,
        "stranded": 0,
      ])
  }

  @Test func `health counts what is not over`() {
    var run = RolloutRun(RolloutRun.plan(4))
    run.send(.begin)
    let active = run.rollout.report(began: RolloutRun.start, at: run.now)
    run.send(.abort("asked for"))
    run.run()
    let over = run.rollout.report(began: RolloutRun.start, at: run.now)
    #expect(
      RolloutReports.numbers([active, over]) == [.rolloutsActive: 1, .rolloutPending: 4, .rolloutFailed: 0])
    #expect(RolloutReports.numbers([]) == [.rolloutsActive: 0, .rolloutPending: 0, .rolloutFailed: 0])
  }
}
