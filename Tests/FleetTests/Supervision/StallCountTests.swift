import FleetModel
import Testing

@testable import Fleet

@Suite struct StallCountTests {
  /// Samples at 100 Hz for two seconds, none for `stall`, then `burst` at once, then two seconds more.
  private func missed(
    stall: Duration, burst: Int, rate: Int = 100, actual: Double = 100
  ) -> [StallCount.Missed] {
    var count = StallCount(period: .seconds(1) / rate)
    var missed: [StallCount.Missed] = []
    var now = Duration.zero
    func take() { missed += count.arrived(at: now, stamp: .at(0) + now).map { [$0] } ?? [] }
    for _ in 0..<Int(actual * 2) {
      now += .seconds(1) / actual
      take()
    }
    now += stall
    for _ in 0..<burst { take() }
    for _ in 0..<Int(actual * 2) {
      now += .seconds(1) / actual
      take()
    }
    return missed
  }

  @Test("F24 what piled up and came whole is no loss", arguments: [0.99, 1.0, 1.02])
  func whole(deviation: Double) {
    #expect(missed(stall: .seconds(2), burst: Int(200 * deviation), actual: 100 * deviation) == [])
  }

  @Test("F24 what the socket could not hold is missed, counted, and told once")
  func dropped() throws {
    // Five hundred samples in two seconds, 278 of which found room.
    let missed = missed(stall: .seconds(2), burst: 278, rate: 250, actual: 250)
    let only = try #require(missed.first)
    #expect(missed.count == 1)
    #expect((217...227).contains(only.count))
    #expect(only.to - only.from == .seconds(2))
    #expect(only.since == .seconds(2))
  }

  @Test func jitterIsNoStall() { #expect(missed(stall: .milliseconds(900), burst: 0) == []) }

  @Test func slowStreamsHaveTime() { #expect(missed(stall: .seconds(5), burst: 0, rate: 1, actual: 1) == []) }

  @Test func theFirstSampleHasNoPast() {
    var count = StallCount(period: .milliseconds(10))
    #expect(count.arrived(at: .seconds(1_000), stamp: .at(0)) == nil)
  }
}
