import BoardKit
import FleetModel
import Storage
import Testing

@testable import Fleet

/// What is to be done about a board's log.
@Suite struct LogPlanTests {
  private static func log(_ rate: Int64) -> StreamRequest {
    StreamRequest(name: "acceleration", configuration: ["rate_hz": .integer(rate)])
  }

  private func plan(
    entries: Int, isLogging: Bool = false, run progress: LogSession.Progress? = .logging, boot: Int = 1,
    resetID: Int = 5, wants: [String: StreamRequest] = ["acceleration": LogPlanTests.log(50)],
    edit: (inout LogPlan) -> Void = { _ in }
  ) -> LogPlan {
    let status = LogStatus(
      clock: ClockReading(clock: BoardTick(resetID: resetID, tick: 9), time: .at(0), error: .zero),
      entries: entries, capacity: 1_000, isLogging: isLogging, isCircular: false, recycledPages: 4)
    let run = progress.map {
      LogSession(
        id: .seeded(1), board: .number(1), started: .at(0), streams: [], boot: 1, resetID: 5, progress: $0,
        recycledPages: 4)
    }
    var plan = LogPlan(wanted: wants, isCircular: false, made: wants, status: status, run: run, boot: boot)
    edit(&plan)
    return plan
  }

  @Test func `a board logs what is wanted`() {
    #expect(plan(entries: 0, run: nil).step == .startLogging)
    #expect(plan(entries: 7, isLogging: true).step == .nothing)
    #expect(plan(entries: 7, isLogging: true, wants: [:]).step == .stopLogging)
    #expect(plan(entries: 7, isLogging: false, wants: [:]).step == .nothing)
    #expect(plan(entries: 7, isLogging: true) { $0.isCircular = true }.step == .startLogging)
  }

  @Test
  func `I4 what others log goes on`() {
    #expect(plan(entries: 7, isLogging: true, run: nil, wants: [:]).step == .nothing)
  }

  @Test func `F39 what a board logged before its reset comes home before it logs again`() {
    let rebooted = plan(entries: 7, boot: 2, resetID: 6)
    #expect(rebooted.downloadsFirst && rebooted.step == .nothing)
    #expect(plan(entries: 7, resetID: 6).downloadsFirst, "a reset that the board alone counted")
    let empty = plan(entries: 0, boot: 2, resetID: 6)
    #expect(!empty.downloadsFirst && empty.isRunOver && empty.step == .startLogging)
  }

  @Test func `F31 F32 a download that was cut off goes on before the board logs again`() {
    #expect(plan(entries: 7, run: .reading).downloadsFirst)
    #expect(!plan(entries: 7, isLogging: true, run: .reading).downloadsFirst, "we had it log on")
    #expect(!plan(entries: 7, run: .short, boot: 2).downloadsFirst, "that is for a person")
    // Killed between the clearing and the note of it.
    #expect(plan(entries: 0, run: .complete).isRunOver)
    #expect(!plan(entries: 0, isLogging: true).isRunOver, "it has not written anything yet")
  }

  @Test func `F38 a length of 1 means nothing for 90 s after clearing`() {
    #expect(plan(entries: 1) { $0.cleared = .at(-89_999) }.entries == 0)
    #expect(plan(entries: 1) { $0.cleared = .at(-90_000) }.entries == 1)
    #expect(plan(entries: 2) { $0.cleared = .at(-1) }.entries == 2)
    #expect(plan(entries: 1).entries == 1)
  }

  @Test func `what stands in the log keeps its loggers as they were until it has come home`() {
    let changed = plan(entries: 7) { $0.wanted = ["acceleration": Self.log(100)] }
    #expect(changed.loggers == ["acceleration": Self.log(50)] && changed.waiting == ["acceleration"])
    #expect(plan(entries: 7) { $0.wanted = [:] }.loggers == ["acceleration": Self.log(50)])
    let empty = plan(entries: 0) { $0.wanted = ["acceleration": Self.log(100)] }
    #expect(empty.loggers == empty.wanted && empty.waiting.isEmpty)
    let rebooted = plan(entries: 7, boot: 2, resetID: 6) { $0.wanted = [:] }
    #expect(rebooted.loggers.isEmpty, "the reset took them")
  }

  @Test func `F42 a full log is not armed; a ring that gave pages away has wrapped`() {
    #expect(plan(entries: 1_000).isFull && plan(entries: 1_000).step == .nothing)
    let ring = plan(entries: 1_000, isLogging: true) {
      ($0.isCircular, $0.status.isCircular, $0.status.recycledPages) = (true, true, 5)
    }
    #expect(!ring.isFull && ring.isWrapped)
    #expect(!plan(entries: 1_000).isWrapped)
  }

  @Test func `F48 what others changed is noticed at the next contact`() {
    let last = LogEstimate(entries: 9, capacity: 1_000, isLogging: true, time: .at(0), rate: nil)
    #expect(plan(entries: 10, isLogging: true).foreignChanges(since: last) == [])
    #expect(plan(entries: 10).foreignChanges(since: last) == ["logging"])
    #expect(plan(entries: 2, isLogging: true).foreignChanges(since: last) == ["log"])
    #expect(plan(entries: 0, boot: 2, resetID: 6).foreignChanges(since: last) == [], "that was a reset")
    #expect(plan(entries: 1_000).foreignChanges(since: last) == [], "it is full")
  }

  @Test
  func
    `F39 a run goes on while its loggers do, takes new ones in, and is another one when nothing of it is left`()
  {
    let (x, y) = (
      LoggedStream(name: "x", fields: [], slots: [0], layout: []),
      LoggedStream(name: "y", fields: [], slots: [1], layout: [])
    )
    func step(_ plan: LogPlan, of run: [LoggedStream], logging logged: [LoggedStream])
      -> LogPlan.LogSessionStep
    {
      var plan = plan
      plan.run?.streams = run
      return plan.runStep(logging: logged)
    }
    #expect(step(plan(entries: 7), of: [x], logging: [x]) == .goOn)
    #expect(step(plan(entries: 7), of: [x], logging: [y]) == .map([x, y]))
    #expect(step(plan(entries: 0), of: [x], logging: [y]) == .map([y]), "nothing was written by the others")
    #expect(step(plan(entries: 0, run: .complete), of: [x], logging: [x]) == .begin)
    #expect(step(plan(entries: 7, boot: 2, resetID: 6), of: [x], logging: [x]) == .begin)
    #expect(step(plan(entries: 7, run: nil), of: [], logging: [x]) == .begin)
    #expect(step(plan(entries: 7, run: nil), of: [], logging: []) == .nothing)
  }

  @Test func `recycled pages are learned while the log is less than half full`() {
    func learned(_ entries: Int, _ progress: LogSession.Progress? = .logging, before: Int? = nil) -> Int? {
      plan(entries: entries, run: progress) { $0.run?.recycledPages = before }.learnedRecycledPages
    }
    #expect(learned(499) == 4 && learned(500) == nil)
    #expect(learned(0, before: 2) == nil && learned(0, .reading) == nil && learned(0, nil) == nil)
  }
}
