import FleetModel
import Testing

@testable import Fleet

@Suite struct RolloutTests {
  private static func played(_ run: RolloutRun, restarts: Bool = false) -> RolloutRun {
    var run = run
    run.restarts = restarts
    run.send(.begin)
    run.run()
    return run
  }

  private static func minutes(_ run: RolloutRun) -> [Int] {
    run.starts.map { Int(($0.time - RolloutRun.start).inSeconds / 60) }
  }

  @Test func `the first two, an hour, then more and more`() {
    var plan = RolloutRun.plan()
    plan = RolloutPlan(
      id: plan.id, group: plan.group, version: plan.version, options: plan.options, members: plan.members,
      refusals: [RolloutRun.board(99): "no build fits"])
    let run = Self.played(RolloutRun(plan))
    #expect(run.phases == [.planned, .canary, .soaking, .rolling, .done] && run.isFinished)
    #expect(run.counts.done == 40 && run.counts.refused == 1 && run.counts.total == 41)
    #expect(run.starts.prefix(2).map(\.board) == [1, 2])
    // An hour behind the first two; five an hour, then ten, then twenty.
    #expect(Self.minutes(run).prefix(10) == [0, 0, 62, 74, 86, 98, 110, 116, 122, 128])
    #expect(run.starts.count == 40)
  }

  @Test func `D20 restarts behind every step change nothing, in any phase`() {
    let plain = Self.played(RolloutRun(RolloutRun.plan()))
    let restarted = Self.played(RolloutRun(RolloutRun.plan()), restarts: true)
    #expect(plain.starts == restarted.starts && restarted.counts.done == 40)
    #expect(plain.rollout == restarted.rollout)
  }

  @Test(arguments: [false, true])
  func `D20 a first one that fails aborts, and nobody else is begun`(restarts: Bool) {
    var run = RolloutRun(RolloutRun.plan())
    run.outcome = { board, _ in
      board == 2 ? (.failed("its checksum is wrong"), .seconds(60)) : (.done, .seconds(90))
    }
    run = Self.played(run, restarts: restarts)
    #expect(run.phases == [.planned, .canary, .aborted] && run.isFinished)
    #expect(run.rollout.reason?.hasSuffix("one of the first, failed: its checksum is wrong") == true)
    #expect(run.starts.map(\.board) == [1, 2, 2, 2])
    #expect(run.counts.done == 1 && run.counts.failed == 1 && run.counts.skipped == 38)
  }

  @Test(arguments: [false, true])
  func `D20 a first one that is left without firmware aborts at once, and what runs goes on`(restarts: Bool) {
    var run = RolloutRun(RolloutRun.plan())
    run.outcome = { board, _ in
      board == 1 ? (.stranded("it answers no more"), .seconds(60)) : (.done, .seconds(90))
    }
    run.restarts = restarts
    run.send(.begin)
    run.run(until: RolloutRun.start + .seconds(60))
    #expect(run.rollout.phase == .aborted && !run.isFinished && run.counts.running == 1)
    run.run()
    #expect(run.isFinished && run.counts.stranded == 1 && run.counts.done == 1 && run.counts.skipped == 38)
    #expect(run.starts.count == 2)
  }

  @Test func `D12 D20 U8 a board that is left without firmware later stops the rest`() {
    var run = RolloutRun(RolloutRun.plan())
    run.outcome = { board, _ in
      board == 7 ? (.stranded("it answers no more"), .seconds(60)) : (.done, .seconds(90))
    }
    run = Self.played(run, restarts: true)
    #expect(run.rollout.phase == .aborted && run.counts.stranded == 1 && run.counts.done == 6)
    #expect(run.rollout.reason == "1 board waits in the bootloader, without firmware")
    #expect(run.starts.count == 7)
  }

  @Test func `D20 more than a tenth that fail stop the rest, but not before five have finished`() {
    var run = RolloutRun(RolloutRun.plan { ($0.retries, $0.stranded) = (0, 0) })
    run.outcome = { board, _ in board == 3 ? (.failed("no"), .seconds(60)) : (.done, .seconds(60)) }
    run = Self.played(run)
    #expect(run.rollout.phase == .aborted && run.rollout.reason == "1 of 5 boards failed")
    #expect(run.starts.count == 5)
  }

  @Test func `what fails is begun again as often as is allowed`() {
    var run = RolloutRun(RolloutRun.plan(6))
    run.outcome = { board, attempt in
      board == 4 && attempt < 3 ? (.failed("no"), .seconds(60)) : (.done, .seconds(60))
    }
    run = Self.played(run)
    #expect(run.counts.done == 6 && run.starts.count { $0.board == 4 } == 3)
  }

  @Test func `D15 a board with an empty battery is no failure, and tried again later`() {
    var run = RolloutRun(RolloutRun.plan(5))
    run.outcome = { board, attempt in (.done, .seconds(60)) }
    var asked = 0
    run.outcome = { board, _ in
      guard board == 4, asked < 9 else { return (.done, .seconds(60)) }
      asked += 1
      return (.postponed("its battery is at 40 %"), .seconds(1))
    }
    run = Self.played(run)
    #expect(run.counts.done == 5 && run.counts.failed == 0)
    let times = run.starts.filter { $0.board == 4 }.map(\.time)
    #expect(times.count == 10)
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= Rollout.postponement })
  }

  @Test func `D20 boards that are away wait, and are not begun any more when its time is over`() {
    let end = RolloutRun.start + .seconds(4 * 3_600)
    var run = RolloutRun(RolloutRun.plan(6) { $0.until = end })
    for board in 3...6 { run.adapters[RolloutRun.board(board)] = nil }
    run = Self.played(run)
    #expect(run.rollout.phase == .expired && run.isFinished && run.now == end)
    #expect(run.counts.done == 2 && run.counts.skipped == 4)
  }

  @Test func `D20 all are away: nothing is begun, and nothing lost`() {
    var run = RolloutRun(RolloutRun.plan(4))
    let all = run.adapters
    run.adapters = [:]
    run = Self.played(run)
    #expect(run.starts.isEmpty && run.counts.pending == 4 && run.rollout.phase == .canary)
    run.adapters = all
    run.send(.tick)
    run.run()
    #expect(run.counts.done == 4)
  }

  @Test func `D20 outside of its hours nothing is begun, and what runs goes on`() {
    var run = RolloutRun(RolloutRun.plan())
    run.send(.begin)
    run.isOpen = false
    run.run()
    #expect(run.starts.count == 2 && run.rollout.phase == .rolling && run.counts.done == 2)
    run.isOpen = true
    run.send(.tick)
    run.run()
    #expect(run.counts.done == 40)
  }

  @Test func `D20 while it is paused nothing is begun, in any phase, and it stays paused over a restart`() {
    for stop in [60, 1_000, 5_000] {
      var run = RolloutRun(RolloutRun.plan())
      run.restarts = true
      run.send(.begin)
      run.run(until: RolloutRun.start + .seconds(stop))
      run.send(.pause)
      let begun = run.starts.count
      run.run()
      run.now = run.now + .seconds(86_400)
      run.send(.tick)
      run.run()
      #expect(run.starts.count == begun && run.rollout.isPaused && !run.isFinished)
      run.send(.resume)
      run.run()
      #expect(run.counts.done == 40 && run.rollout.phase == .done)
    }
  }

  @Test func `U8 behind an abort nothing is begun, whatever the phase`() {
    for stop in [0, 60, 1_000, 3_800, 6_000] {
      var run = RolloutRun(RolloutRun.plan())
      run.send(.begin)
      run.run(until: RolloutRun.start + .seconds(stop))
      let begun = run.starts.count
      run.send(.abort("asked for"))
      run.send(.resume)
      run.run()
      #expect(run.starts.count == begun && run.rollout.phase == .aborted && run.isFinished)
      #expect(run.counts.pending == 0 && run.counts.running == 0)
    }
  }

  @Test(arguments: [
    (
      BoardHealth(streams: ["acceleration"], logged: ["temperature-die"], unexpectedResets: 9),
      "it restarted 9 times"
    ),
    (BoardHealth(streams: ["acceleration"]), "it no longer logs temperature-die"),
    (
      BoardHealth(streams: ["acceleration"], logged: ["temperature-die"], trouble: "no such module"),
      "its profile could not be applied"
    ),
  ])
  func `D17 D18 first ones that are worse than before stop the rest`(health: BoardHealth, words: String) {
    var run = RolloutRun(RolloutRun.plan())
    run.health = { $0 == 2 ? health : RolloutRun.well }
    run = Self.played(run, restarts: true)
    #expect(run.phases == [.planned, .canary, .soaking, .aborted])
    #expect(run.rollout.reason?.contains(words) == true)
    #expect(run.starts.count == 2 && run.counts.skipped == 38)
  }

  @Test func `U8 a board whose time is over counts as failed, and keeps its adapter until it ends`() {
    var run = RolloutRun(RolloutRun.plan(8) { ($0.failPercent, $0.parallel) = (nil, 2) }, adapters: 1)
    run.outcome = { board, _ in board == 3 ? (.done, .seconds(3_000)) : (.done, .seconds(60)) }
    run.send(.begin)
    run.run(until: RolloutRun.start + .seconds(3_600 + 200 + 1_900))
    #expect(run.counts.failed == 1 && run.starts.count == 3)
    run.run()
    #expect(run.counts.done == 8)
  }

  @Test func `D02 a restart finds each board where it is`() {
    var run = RolloutRun(RolloutRun.plan(6))
    run.outcome = { _, _ in (.done, .seconds(86_400 * 40)) }
    run.send(.begin)
    let (first, second) = (RolloutRun.board(1), RolloutRun.board(2))
    run.send(.found(first, "1.7.3"))
    run.send(.found(second, "1.7.2"))
    #expect(run.rollout.members[first]?.state == .done)
    #expect(run.rollout.members[second]?.isRunning == true && run.rollout.members[second]?.attempts == 2)
    // Of boards that are not being updated it says nothing.
    run.send(.found(first, "1.7.2"))
    #expect(run.rollout.members[first]?.state == .done)
  }

  @Test func `D02 where the same is installed again, its version does not tell that it was`() {
    var plan = RolloutRun.plan(6)
    plan = RolloutPlan(
      id: plan.id, group: plan.group, version: plan.version, options: plan.options,
      members: plan.members.map {
        var member = $0
        member.installed = plan.version
        return member
      }, refusals: [:])
    var run = RolloutRun(plan)
    run.outcome = { _, _ in (.done, .seconds(86_400)) }
    run.send(.begin)
    run.send(.found(RolloutRun.board(1), "1.7.3"))
    #expect(run.rollout.members[RolloutRun.board(1)]?.failures == 1)
  }

  @Test func `a board whose update somebody ended is not begun again`() {
    var run = RolloutRun(RolloutRun.plan(6) { $0.failPercent = nil })
    run.outcome = { board, _ in (board == 4 ? .withdrawn("cancelled") : .done, .seconds(60)) }
    run.send(.begin)
    run.run()
    #expect(run.counts.skipped == 1 && run.counts.done == 5 && run.starts.count == 6)
  }

  @Test func `what comes twice, or of somebody else, changes nothing`() {
    var run = RolloutRun(RolloutRun.plan(4))
    run.send(.begin)
    run.send(.ended(RolloutRun.board(1), .done))
    let before = run.rollout
    run.send(.ended(RolloutRun.board(1), .failed("late")))
    run.send(.ended(RolloutRun.board(77), .done))
    run.send(.ended(RolloutRun.board(4), .done))
    run.send(.examined(RolloutRun.board(1), BoardHealth()))
    run.send(.begin)
    #expect(run.rollout == before)
  }

  @Test func `F259 boards that had to be put off keep no other from its turn`() {
    var run = RolloutRun(
      RolloutRun.plan(10) { ($0.perHour, $0.growth, $0.mostPerHour) = (5, 1, 5) }, adapters: 1)
    run.outcome = { board, _ in
      (3...7).contains(board) ? (.postponed("its battery is at 40 %"), .seconds(1)) : (.done, .seconds(60))
    }
    run.send(.begin)
    run.run(until: RolloutRun.start + .seconds(6 * 3_600))
    // Twelve minutes lie between two boards, ten behind which one that was put off may be tried again.
    #expect([8, 9, 10].allSatisfy { run.rollout.members[RolloutRun.board($0)]?.state == .done })
    let first = run.starts.filter { $0.phase == .rolling }.prefix(8).map(\.board)
    #expect(first == [3, 4, 5, 6, 7, 8, 9, 10])
  }

  @Test func `F259 a board that was put off is no failure when the rollout ends`() {
    var run = RolloutRun(RolloutRun.plan(3))
    run.outcome = { board, _ in
      board == 1 ? (.postponed("its battery is at 40 %"), .seconds(60)) : (.failed("no"), .seconds(1))
    }
    run.send(.begin)
    run.send(.abort("asked for"))
    run.run()
    #expect(run.counts.skipped == 2 && run.counts.failed == 1 && run.isFinished)
  }

  @Test func `each time that a board is begun has a number of its own, put off or failed`() {
    var run = RolloutRun(RolloutRun.plan(3))
    run.outcome = { _, attempt in attempt < 3 ? (.postponed("away"), .seconds(1)) : (.done, .seconds(1)) }
    run = Self.played(run)
    #expect(run.counts.done == 3)
    #expect(run.rollout.members.values.allSatisfy { $0.attempts == 3 && $0.failures == 0 })
  }

  @Test func `what was counted before a board had the firmware is not held against it`() {
    var run = RolloutRun(RolloutRun.plan(3))
    let counted = BoardHealth(unexpectedResets: 7, linkFailures: 40)
    for member in run.rollout.plan.members { run.counted[member.board] = counted }
    run.health = { board in
      var health = RolloutRun.well
      (health.unexpectedResets, health.linkFailures) = (board == 2 ? 8 : 7, 41)
      return health
    }
    run = Self.played(run, restarts: true)
    #expect(run.rollout.phase == .aborted)
    #expect(run.rollout.reason?.hasSuffix("it restarted 1 time by itself") == true)
  }

  @Test func `a board that is removed is skipped; one of the first is missed`() {
    var run = RolloutRun(RolloutRun.plan(4))
    run.send(.begin)
    run.run(until: RolloutRun.start + .seconds(200))
    run.send(.removed(RolloutRun.board(4)))
    #expect(run.counts.skipped == 1 && run.rollout.phase == .soaking)
    run.run()
    #expect(run.rollout.phase == .done && run.counts.done == 3)
    var missed = RolloutRun(RolloutRun.plan(4))
    missed.send(.begin)
    missed.run(until: RolloutRun.start + .seconds(200))
    missed.send(.removed(RolloutRun.board(1)))
    #expect(missed.rollout.phase == .aborted && missed.isFinished)
    #expect(missed.rollout.reason?.contains("was removed (forget) while it was watched") == true)
  }
}
