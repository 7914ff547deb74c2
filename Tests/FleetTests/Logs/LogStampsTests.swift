import FleetModel
import Testing

@testable import Fleet

@Suite struct LogStampsTests {
  private static let line = LogStamps(tick: .microseconds(1_464), period: .microseconds(625))
  private static let start = Timestamp(milliseconds: 1_763_671_000_000)

  private static func stamp(_ tick: Int64, at offset: Duration? = nil) -> LogDating.Stamp {
    LogDating.Stamp(
      time: start + (offset ?? .microseconds(1_464 * tick)), error: .milliseconds(2), boot: 1, run: 0,
      tick: tick)
  }

  private static func doubtful(_ place: Int) -> LogDating.Stamp {
    LogDating.Stamp(time: start, error: nil, boot: 1, run: 0)
  }

  private static func distances(_ stamps: [LogDating.Stamp]) -> [Int64] {
    zip(stamps, stamps.dropFirst()).map { ($1.time - $0.time).wholeNanoseconds / 1_000 }
  }

  @Test func `F153 samples on one tick share it evenly, within their error`() {
    let ticks: [Int64] = [0, 0, 1, 1, 1, 2, 2, 3]
    let stamps = Self.line.increasing(ticks.map { Self.stamp($0) }, behind: nil, doubtful: Self.doubtful)
    #expect(Self.distances(stamps) == [732, 610, 488, 488, 610, 732, 1_098])
    for (stamp, tick) in zip(stamps, ticks) {
      let off = stamp.time - Self.stamp(tick).time
      #expect(max(off, .zero - off) <= .microseconds(732))
      #expect(stamp.error == .milliseconds(2) + max(off, .zero - off))
    }
  }

  @Test func `F153 samples that were packed lie their period apart, the last one when it was written`() {
    let line = LogStamps(tick: .microseconds(1_464), period: .milliseconds(20))
    let stamps = line.increasing(
      [0, 0, 0].map { Self.stamp($0, at: .seconds(1)) }, behind: Self.start, doubtful: Self.doubtful)
    #expect(stamps.last?.time == Self.start + .seconds(1))
    #expect(Self.distances(stamps) == [20_000, 20_000])
    #expect(stamps.map(\.error) == [.milliseconds(42), .milliseconds(22), .milliseconds(2)])
  }

  @Test func `F153 stamps increase by a microsecond at least, and say how far they were held back`() {
    let latest = Self.start + .milliseconds(5)
    let stamps = Self.line.increasing(
      (0..<3).map { Self.stamp($0) }, behind: latest, doubtful: Self.doubtful)
    #expect(stamps.map(\.time.microseconds) == (1...3).map { latest.microseconds + $0 })
    #expect(stamps[0].error == .milliseconds(2) + .microseconds(5_001))
    let equal = Self.line.increasing(
      [Self.stamp(3), Self.stamp(4, at: .microseconds(4_392))], behind: nil, doubtful: Self.doubtful)
    #expect(Self.distances(equal) == [1])
  }

  @Test func `F151 what has no time of its own lies evenly between what is before and behind it`() {
    let known = [Self.stamp(0), nil, nil, nil, Self.stamp(4), nil]
    let stamps = Self.line.increasing(known, behind: nil, doubtful: Self.doubtful)
    #expect(Self.distances(stamps) == [1_464, 1_464, 1_464, 1_464, 625])
    #expect(stamps.map { $0.error == nil } == [false, true, true, true, false, true])
  }
}
