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
}
