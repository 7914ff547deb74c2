import BoardKit
import FleetModel
import Storage
import Testing

@testable import Fleet

/// What senders of log commands are told (MQTT contract 3.5).
@Suite struct LogRepliesTests {
  private func plan(entries: Int, progress: LogSession.Progress = .logging, isLogging: Bool = false)
    -> LogPlan
  {
    LogPlan(
      wanted: [:], isCircular: false,
      status: LogStatus(
        clock: ClockReading(clock: BoardTick(resetID: 1, tick: 1), time: .at(0), error: .zero),
        entries: entries, capacity: 1_000, isLogging: isLogging, isCircular: false, recycledPages: nil),
      run: LogSession(
        id: .seeded(1), board: .number(1), started: .at(0), streams: [], boot: 5, resetID: 1,
        progress: progress, stored: 812), boot: 5)
  }

  private func code(_ outcome: CommandOutcome) -> CommandFailure.Code? {
    if case .failed(let failure) = outcome { failure.code } else { nil }
  }

  @Test func `a download ends with its proof or with the data of its failure`() {
    var download = LogDownload(session: .seeded(1), expected: 10, stored: 7)
    guard case .failed(let failure) = LogReplies.outcome(of: .over(download)) else {
      Issue.record("a short read-out is no success")
      return
    }
    #expect(failure.code == .boardError && failure.data["complete"] == false)
    #expect(failure.data["entries_stored"] == 7)
    #expect(code(LogReplies.outcome(of: .notKept(download))) == .internal)
    #expect(code(LogReplies.outcome(of: .interrupted(download))) == .internal)
    download.isComplete = true
    #expect(LogReplies.outcome(of: .over(download)) == .done(evidence: .readback, data: download.data))
  }

  @Test func `only the exact number gives entries up`() {
    let logged = plan(entries: 812)
    #expect(LogReplies.refusal(of: 812, logged) == nil)
    for discard: Int64? in [nil, 811, 0] {
      let refusal = LogReplies.refusal(of: discard, logged)
      #expect(refusal?.code == .undownloadedData && refusal?.data == ["entries": 812])
    }
    #expect(LogReplies.refusal(of: nil, plan(entries: 0)) == nil)
    // What is stored needs no giving up, but a number that is given has to be right.
    let stored = plan(entries: 812, progress: .complete)
    #expect(LogReplies.refusal(of: nil, stored) == nil && LogReplies.refusal(of: 1, stored) != nil)
    #expect(LogReplies.refusal(of: nil, plan(entries: 812, progress: .complete, isLogging: true)) != nil)
  }

  @Test func `the status lists ours and others`() {
    let streams = [
      LoggedStream(name: "acceleration", fields: [], slots: [1, 0], layout: []),
      LoggedStream(name: "switch", fields: [], slots: [2], layout: [], isOurs: false),
    ]
    #expect(
      LogReplies.status(plan(entries: 812), streams) == [
        "logging": false, "circular": false, "entries": 812, "capacity": 1_000, "used_pct": 81.2, "boot": 5,
        "undownloaded": 812,
        "loggers": [
          ["slot": 0, "stream": "acceleration", "owner": "ours"],
          ["slot": 1, "stream": "acceleration", "owner": "ours"],
          ["slot": 2, "stream": "switch", "owner": "foreign"],
        ],
      ])
  }
}
