import FleetModel
import Testing

@testable import MetaMotion

struct AccelerationConfigurationTests {
  @Test func `every value of the catalogue is one`() throws {
    for (index, rate) in StreamCatalogue.accelerationRates.enumerated() {
      for range in [2.0, 4, 8, 16] {
        let configuration = try #require(AccelerationConfiguration(rateHz: rate, rangeG: range))
        #expect(configuration.rate.hertz == rate)
        #expect(Int(configuration.rate.code) == index + 1)
        #expect(Double(configuration.range.rawValue) == range)
        #expect(configuration.range.countsPerG * range == 32_768)
      }
    }
  }

  @Test(arguments: [(55.0, 4.0), (50, 3), (50, 4.5), (.nan, 4), (50, .infinity), (-50, 4)])
  func `nothing else is`(rate: Double, range: Double) {
    #expect(AccelerationConfiguration(rateHz: rate, rangeG: range) == nil)
  }

  @Test func `periods are exact to the nanosecond`() {
    #expect(AccelerationRate(index: 0).period == .milliseconds(1_280))
    #expect(AccelerationRate(index: 6).period == .milliseconds(20))
    #expect(AccelerationRate(index: 11).period == .microseconds(625))
  }

  @Test func `positions are held inside the list`() {
    #expect(AccelerationRate(index: -1).hertz == 0.78125)
    #expect(AccelerationRate(index: 12).hertz == 1_600)
  }
}
