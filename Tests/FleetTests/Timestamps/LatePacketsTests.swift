import FleetModel
import Testing

@testable import Fleet

@Suite struct LatePacketsTests {
  private static let period: Int64 = 10_000_000

  /// Packets of one sample that arrive at these milliseconds, behind one at 0.
  private func late(_ arrivals: [Double]) -> (LatePackets, ArrivalLine) {
    let line = ArrivalLine(at: .at(0), packets: 80_000_000)
    var late = LatePackets()
    for arrival in arrivals {
      let time = Timestamp.at(0) + .nanoseconds(Int64(arrival * 1_000_000))
      late.add(
        .init(count: 1, arrival: time, uptime: .milliseconds(Int64(arrival))), span: Self.period,
        line.lateness(of: time, after: late.span + Self.period))
    }
    return (late, line)
  }

  @Test func `F144 for each packet the least lateness from it on, and who bears witness`() {
    let (late, line) = late([40, 41, 42, 50, 60])
    let lateness = late.lateness(by: line, period: Self.period)
    #expect(lateness.own == [30, 21, 12, 10, 10].map { $0 * 1_000_000 })
    #expect(lateness.least == [10, 10, 10, 10, 10].map { $0 * 1_000_000 })
    // The third is nearly as early as those behind it, and has been there for longer.
    #expect(lateness.leastIndex == [2, 2, 2, 3, 4])
  }

  @Test func `F144 a decision waits for as long as lateness falls, and no longer than five seconds`() {
    #expect(late([]).0.due(jitter: nil) == nil)
    let (punctual, _) = late([25, 35, 45])
    #expect(punctual.due(jitter: 1_000_000) == .milliseconds(1_025))
    #expect(punctual.due(jitter: nil) == .milliseconds(2_025))
    #expect(punctual.due(jitter: 60_000_000) == .milliseconds(2_025), "they come in clumps")
    let (falling, _) = late([1_000, 1_001, 1_002])
    #expect(falling.due(jitter: 1_000_000) == .milliseconds(2_002))
    let (endless, _) = late((0..<600).map { 1_000 + Double($0) * 7.4 })
    #expect(endless.due(jitter: nil).map { $0 <= .milliseconds(6_000) } == true)
  }

  @Test
  func
    `F145 packets that come evenly at another rate tell it; a staircase, a burst and the known rate do not`()
    throws
  {
    func rate(_ arrivals: [Double], known: Double = 0) -> Double? {
      var (late, line) = late(arrivals)
      if known != 0 { line.adopt(rate: known) }
      return late.ownRate(from: 0, period: Self.period, by: line)
    }
    let even = (0..<8).map { 25 + Double($0) * 12.5 }
    let slow = try #require(rate(even))
    #expect(abs(slow - 0.25) < 0.002)
    #expect(rate(even, known: 0.25) == nil)
    #expect(rate((0..<8).map { 25 + Double($0) * 10 }) == nil)
    #expect(rate((0..<8).map { 25 + Double($0) * 10 + ($0 < 4 ? 0 : 10) }) == nil)
    #expect(rate((0..<8).map { 25 + Double($0) * 0.1 }) == nil)
    #expect(rate([25, 37.5, 50, 62.5, 75]) == nil, "too few")
    // Every second one lost looks like half the rate: more of them are wanted.
    #expect(rate((1...8).map { Double($0) * 20 }) == nil)
    let half = try #require(rate((1...12).map { Double($0) * 20 }))
    #expect(abs(half - 1) < 0.002)
  }

  @Test func `what is placed is left out`() {
    var (late, line) = late([40, 50, 60])
    late.remove(first: 2, period: Self.period, by: line)
    #expect(late.packets.count == 1 && late.span == Self.period)
    #expect(late.due(jitter: 0) == .milliseconds(1_060))
    _ = line.advance(by: Self.period)
    late.remove(first: 1, period: Self.period, by: line)
    #expect(late.isEmpty && late.span == 0)
  }
}
