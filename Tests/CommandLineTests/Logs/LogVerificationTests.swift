import FleetModel
import Storage
import Testing

@testable import metafleet

@Suite struct LogVerificationTests {
  private static func ledger(
    _ batches: [(sequence: Int, samples: Int, gap: Int, isDelivered: Bool)], stored: Int = 100,
    published: Int = 100, progress: LogSession.Progress = .cleared, expected: Int? = 100
  ) -> LogLedger {
    var ledger = LogLedger(
      session: LogExample.session(progress: progress, expected: expected, stored: stored))
    ledger.published = published
    for batch in batches {
      ledger.add(
        stream: "s", sequence: batch.sequence, samples: batch.samples, gapBefore: batch.gap,
        isDelivered: batch.isDelivered)
    }
    return ledger
  }

  private static func verify(_ ledger: LogLedger, counted: Int?, gaps: [LogGap] = []) -> LogVerification {
    var verification = LogVerification()
    verification.add(ledger, counted: counted.map { ["s": $0] }, gaps: gaps)
    return verification
  }

  @Test func `delivered, lost and waiting add up to what was produced`() throws {
    let verification = Self.verify(
      Self.ledger([(0, 60, 0, true), (60, 30, 7, false)]), counted: 90)
    #expect(verification.isComplete)
    let line = try #require(verification.lines.first)
    #expect(
      LogVerification.object(of: line) == [
        "board": "c0ffee000001", "stream": "s", "produced": 97, "delivered": 60, "lost": 7, "waiting": 30,
        "ok": true,
      ])
  }

  @Test func `F114 entries that nobody can read do not add up`() {
    var ledger = Self.ledger([(0, 60, 0, true)])
    #expect(Self.verify(ledger, counted: 60).isComplete)
    ledger.lane = Array(#"{"unknown":{"3":40}}"#.utf8)
    let verification = Self.verify(ledger, counted: 60)
    #expect(!verification.isComplete && verification.faults.first?.text.hasPrefix("40 entries") == true)
    // Nor do those of a session of which nobody knows any logger.
    ledger.session.streams = []
    #expect(Self.verify(ledger, counted: nil).faults.first?.text.hasPrefix("100 entries") == true)
  }

  @Test func `samples that vanished between archive and outbox do not add up`() {
    #expect(!Self.verify(Self.ledger([(0, 60, 0, true)]), counted: 90).isComplete)
    #expect(!Self.verify(Self.ledger([]), counted: 1).isComplete)
  }

  @Test func `what is not published yet waits`() {
    let verification = Self.verify(Self.ledger([(0, 60, 0, true)], published: 60), counted: 90)
    #expect(verification.isComplete)
    #expect(verification.lines.map(\.toCome) == [30])
  }

  @Test(arguments: [[(0, 60), (50, 40)], [(0, 60), (70, 30)], [(1, 90)]])
  func `numbers that are doubled or left out do not add up`(batches: [(Int, Int)]) {
    let ledger = Self.ledger(batches.map { ($0.0, $0.1, 0, true) })
    #expect(!Self.verify(ledger, counted: nil).isComplete)
  }

  @Test func `F34 a short session does not add up unless a gap was declared`() {
    let ledger = Self.ledger([(0, 90, 0, true)], stored: 90, published: 90, progress: .short)
    #expect(!Self.verify(ledger, counted: 90).isComplete)
    let gap = LogGap(id: 1, stream: nil, from: nil, to: nil, count: 10, reason: "radio")
    #expect(Self.verify(ledger, counted: 90, gaps: [gap]).isComplete)
    let reading = Self.ledger([(0, 90, 0, true)], stored: 90, published: 90, progress: .reading)
    #expect(Self.verify(reading, counted: 90).isComplete)
  }

  @Test func `F150 pauses are counted once each, whatever streams they are of, and explain nothing else`() {
    func gap(_ id: Int64, _ stream: String, _ from: Int64, _ to: Int64) -> LogGap {
      LogGap(
        id: id, stream: stream, from: Timestamp(milliseconds: from), to: Timestamp(milliseconds: to),
        count: 5,
        reason: "download", cause: .pause)
    }
    let gaps = [gap(1, "a", 1_000, 13_150), gap(2, "b", 1_000, 13_150), gap(3, "a", 50_000, 61_450)]
    let ledger = Self.ledger([(0, 90, 0, true)], stored: 90, published: 90, progress: .short)
    let verification = Self.verify(ledger, counted: 90, gaps: gaps)
    #expect(verification.notLogged == "not logged: 2 pauses, 23.6 s")
    #expect(!verification.isComplete)
    #expect(Self.verify(ledger, counted: 90).notLogged == nil)
  }

  @Test func `sessions of a stream are added; a loss nobody counted stays one`() throws {
    var verification = LogVerification()
    verification.add(Self.ledger([(0, 100, -1, true)]), counted: nil, gaps: [])
    verification.add(Self.ledger([(0, 100, 2, true)]), counted: ["s": 100], gaps: [])
    #expect(verification.lines.count == 1)
    let text = verification.table(names: [LogExample.board: "Pump"]).lines().joined(separator: "\n")
    #expect(text.contains("Pump"))
    #expect(text.contains("200+"))
    #expect(text.contains("some"))
    #expect(text.contains("complete"))
  }
}
