import BoardKit
import FleetModel
import Storage
import Testing

@testable import Fleet

/// What a session's begin says for the case that the gateway is killed before anything of the session is kept.
@Suite struct SessionBeginTests {
  private func stream(period: Duration?, isPolled: Bool = true, behind last: Timestamp? = nil) throws
    -> SessionStream
  {
    let active = ActiveStream(
      key: StreamKey(0), request: StreamRequest(name: "temperature-die", configuration: ["record": true]),
      period: period, isPolled: isPolled)
    return try #require(
      SessionStream(
        active, board: .number(1), boot: 1, session: .seeded(2), limits: LaneLimits(), uptime: .zero,
        behind: last))
  }

  /// The first sample of a session behind one that was cut off. Returns how many are missing before it, how many of
  /// those an event tells, and what the store is to know.
  private func begin(
    _ stream: SessionStream, at time: Timestamp, behind cutOff: StreamInterruption?
  ) -> (missing: Int?, told: Int?, open: OpenStream?) {
    var events: [FleetEvent] = []
    stream.append(at: time, [21.5], uptime: .zero, into: &events)
    let missing = cutOff.map { stream.missing(since: $0, before: time) }
    return (missing, missing.flatMap { cutOff?.untold(of: $0) }, stream.begun(of: .number(1), behind: cutOff))
  }

  @Test(arguments: [20, 2_000, 60_000] as [Int64], 1...5 as ClosedRange<UInt64>)
  func `F136 a hole goes on over sessions of which nothing was kept: what is told of it adds up`(
    period: Int64, seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    var (cutOff, now, told) = (
      StreamInterruption(session: .seeded(1), lastSample: .at(1_000_000)), Int64(0), 0
    )
    // Each is killed before its first sample is on the disk, most within a period and a half.
    for _ in 0..<50 {
      now += Int64.random(in: 1...period * 2, using: &random)
      let stream = try stream(period: .milliseconds(period), behind: cutOff.lastSample)
      let begun = begin(stream, at: .at(1_000_000 + now), behind: cutOff)
      told += try #require(begun.told)
      let all = Int((Double(now) / Double(period)).rounded()) - 1
      #expect(begun.missing == max(0, all) && told == max(0, all), "seed \(seed)")
      let memory = killed(try #require(begun.open))
      cutOff = try #require(BoardMemoryCoding.ends(memory).cutOff["temperature-die"])
    }
  }

  /// What is known of a board whose gateway was killed with a session open.
  private func killed(_ open: OpenStream) -> BoardMemory {
    var memory = BoardMemory(board: .number(1))
    memory.cutOff = [open]
    return memory
  }

  @Test
  func `F136 the first session there is begins a period before its first sample, which is missing behind it`()
    throws
  {
    let open = try #require(begin(try stream(period: .seconds(2)), at: .at(10_000), behind: nil).open)
    #expect(open.last == .at(8_000))
    let next = try stream(period: .seconds(2), behind: open.last)
    let cutOff = StreamInterruption(session: open.session, lastSample: open.last)
    #expect(begin(next, at: .at(12_000), behind: cutOff).missing == 1)
  }

  @Test func `F136 what is read by a schedule has no begin: what was not kept is due, and is read again`()
    throws
  {
    let cutOff = StreamInterruption(session: .seeded(1), lastSample: .at(1_000))
    #expect(begin(try stream(period: nil), at: .at(9_000), behind: nil).open == nil)
    #expect(begin(try stream(period: nil), at: .at(9_000), behind: cutOff).open == nil)
  }

  @Test
  func `F136 where nobody knows the rate, the hole that goes on is told again, from the last sample kept`()
    throws
  {
    let cutOff = StreamInterruption(session: .seeded(1), lastSample: .at(1_000))
    let begun = begin(try stream(period: nil, isPolled: false), at: .at(9_000), behind: cutOff)
    #expect(
      begun.missing == -1 && begun.told == -1 && begun.open?.last == .at(1_000) && begun.open?.told == 0)
  }
}
