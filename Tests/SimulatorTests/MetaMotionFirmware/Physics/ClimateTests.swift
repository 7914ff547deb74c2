import Testing

@testable import Simulator

struct ClimateTests {
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `Rooms stay habitable`(seed: UInt64) {
    let climate = Climate(seed: seed)
    for minute in 0..<600 {
      #expect((15...30).contains(climate.ambient(at: .seconds(minute * 60))), "seed \(seed)")
      #expect(climate.die(at: .seconds(minute * 60)) > climate.ambient(at: .seconds(minute * 60)))
    }
  }

  @Test func `What somebody chooses counts, and what depends on it follows, until it is left to itself`() {
    var climate = Climate(seed: 1)
    let (usual, time) = (Climate(seed: 1), Duration.seconds(100))
    climate.set(.temperature, to: 50)
    climate.set(.pressure, to: 90_000)
    climate.set(.light, to: 7)
    #expect(abs(climate.ambient(at: time) - 50) < 0.5 && climate.die(at: time) > 51)
    #expect(abs(climate.pressure(at: time) - 90_000) < 10 && abs(climate.illuminance(at: time) - 7) < 10)
    #expect(climate.humidity(at: time) < usual.humidity(at: time), "warm air is dry")
    climate.set(.humidity, to: 70)
    #expect(climate.humidity(at: time) == 70)
    for quantity in Climate.Quantity.allCases { climate.set(quantity, to: nil) }
    #expect(climate.ambient(at: time) == usual.ambient(at: time))
    #expect(climate.pressure(at: time) == usual.pressure(at: time))
    #expect(climate.humidity(at: time) == usual.humidity(at: time))
    #expect(climate.illuminance(at: time) == usual.illuminance(at: time))
  }
}
