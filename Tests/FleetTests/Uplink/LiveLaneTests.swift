import FleetModel
import Testing

@testable import Fleet

@Suite struct LiveLaneTests {
  /// The stamps, in milliseconds, of `count` samples at `rate` that pass.
  private func passed(_ count: Int, at rate: Double, through lane: LiveLane) -> [Int64] {
    var lane = lane
    return (0..<count).compactMap { index in
      let time = Timestamp(nanoseconds: 1_763_671_234_000_000_000 + Int64(Double(index) * 1e9 / rate))
      return lane.admits(time) ? time.milliseconds - 1_763_671_234_000 : nil
    }
  }

  private static let capCases: [(Double, Double, Int)] = [
    // Samples a second, cap, how many pass in ten seconds.
    (50, 10, 100), (100, 10, 100), (1_600, 10, 100), (50, 50, 500), (50, 1, 10), (12.5, 10, 100),
    (25, 50, 250), (5, 10, 50), (50, 0.5, 5),
  ]

  @Test(arguments: capCases)
  func `at most so many a second, and about as many`(rate: Double, cap: Double, count: Int) {
    let passed = passed(Int(rate * 10), at: rate, through: LiveLane(rate: cap))
    #expect(abs(passed.count - count) <= 1 + (rate == 12.5 ? 10 : 0))
    for start in passed {
      #expect(Double(passed.count { $0 >= start && $0 < start + 10_000 }) <= 10 * cap + 1)
    }
  }

  @Test func `no rate lets nothing through`() {
    #expect(passed(100, at: 50, through: LiveLane(rate: 0)).isEmpty)
    #expect(passed(100, at: 50, through: LiveLane(rate: -1)).isEmpty)
  }

  @Test(
    arguments: [1e-300, .leastNonzeroMagnitude, 1e-9, .nan])
  func `F84 a rate close to zero, or no number, lets the first through at most`(rate: Double) {
    #expect(passed(1_000, at: 50, through: LiveLane(rate: rate)).count <= 1)
  }

  @Test func `after a pause nothing is made up for`() {
    var lane = LiveLane(rate: 10)
    #expect(lane.admits(.at(0)) == true)
    #expect(lane.admits(.at(60_000)) == true)
    #expect(lane.admits(.at(60_010)) == false)
    #expect(lane.admits(.at(60_100)) == true)
  }

  @Test func `a lane begins where the one before it ended, unless the clock was set back`() {
    var first = LiveLane(rate: 10)
    #expect(first.admits(.at(1_000)) == true)
    var next = LiveLane(rate: 10, due: first.due)
    #expect(next.admits(.at(1_040)) == false)
    #expect(next.admits(.at(1_100)) == true)
    var afterSetting = LiveLane(rate: 10, due: first.due)
    #expect(afterSetting.admits(.at(-3_600_000)) == true)
    #expect(afterSetting.admits(.at(-3_599_990)) == false)
  }

  @Test func `the pace is kept when samples come a little late`() {
    var lane = LiveLane(rate: 10)
    var passed = 0
    for step in 0..<100 where lane.admits(.at(Int64(step) * 100 + (step % 2 == 0 ? 0 : 9))) { passed += 1 }
    #expect(passed == 100)
  }
}
