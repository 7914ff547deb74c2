import FleetModel
import Testing

@testable import Fleet

@Suite struct RolloutRampTests {
  private static func ramp(_ perHour: Int, _ growth: Double, _ most: Int) -> RolloutRamp {
    var options = RolloutOptions()
    (options.perHour, options.growth, options.mostPerHour) = (perHour, growth, most)
    return RolloutRamp(options)
  }

  @Test func `it grows each time as many have it as are begun in an hour, up to the most`() {
    let ramp = Self.ramp(5, 2, 60)
    #expect(
      [0, 4, 5, 14, 15, 34, 35, 74, 75, 9_999].map { ramp.rate(behind: $0) } == [
        5, 5, 10, 10, 20, 20, 40, 40, 60, 60,
      ])
  }

  @Test func `it may stay as it is, and never falls below one an hour`() {
    #expect(Self.ramp(5, 1, 60).rate(behind: 500) == 5)
    #expect(Self.ramp(1, 1.5, 60).rate(behind: 500) == 1)
    #expect(Self.ramp(0, 0, 0).rate(behind: 5) == 1)
  }

  @Test func `U8 pauses are rounded up, so that no hour holds one too many`() {
    for rate in 1...60 {
      #expect(Self.ramp(rate, 1, 60).pause(behind: 0) * Double(rate) >= .seconds(3_600))
    }
  }
}
