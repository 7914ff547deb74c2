import Testing

@testable import Simulator

struct PhysicsTests {
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `A board that is handled now and then still mostly feels gravity`(seed: UInt64) {
    let motion = Motion(seed: seed)
    let magnitudes = (0..<6000).map { step in
      let sample = motion.acceleration(at: .milliseconds(step * 100))
      return (sample * sample).sum().squareRoot()
    }
    let still = magnitudes.filter { abs($0 - 1) < 0.001 }
    #expect(still.count > 3000, "seed \(seed)")
    #expect(magnitudes.contains { abs($0 - 1) > 0.01 }, "seed \(seed)")
    #expect(magnitudes.allSatisfy { $0 < 2.5 }, "seed \(seed)")
  }

  @Test func `Noise is about normal, and the same whenever it is asked for`() {
    let noise = SensorNoise(seed: 3)
    let values = (0..<20_000).map { noise.value(at: .milliseconds($0), channel: 0) }
    let mean = values.reduce(0, +) / 20_000
    let variance = values.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / 20_000
    #expect(abs(mean) < 0.03 && abs(variance - 1) < 0.05)
    #expect(noise.value(at: .milliseconds(77), channel: 0) == values[77])
    #expect(noise.value(at: .milliseconds(77), channel: 1) != values[77])
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `Rooms stay habitable`(seed: UInt64) {
    let climate = Climate(seed: seed)
    for minute in 0..<600 {
      #expect((15...30).contains(climate.ambient(at: .seconds(minute * 60))), "seed \(seed)")
      #expect(climate.die(at: .seconds(minute * 60)) > climate.ambient(at: .seconds(minute * 60)))
    }
  }

  @Test func `The battery falls in use, rises on external power, and keeps to its ends`() {
    var battery = Battery(seed: 1, at: .zero)
    battery.set(percent: 99, at: .zero)
    #expect(battery.percent(at: .zero) == 99 && battery.millivolts(at: .zero) == 4148)
    #expect(battery.percent(at: .seconds(18_000)) == 49)
    #expect(battery.percent(at: .seconds(1_000_000)) == 1)
    #expect(battery.chargeEnds(after: .zero) == nil)
    battery.setExternalPower(true, at: .seconds(18_000))
    #expect(battery.isCharging(at: .seconds(18_000)))
    #expect(battery.percent(at: .seconds(18_000 + 7200)) == 100)
    #expect(!battery.isCharging(at: .seconds(18_000 + 7200)))
    battery.set(percent: .nan, at: .seconds(30_000))
    #expect(battery.percent(at: .seconds(30_000)) == 100)
  }

  @Test func `The generator's sequence is fixed for ever`() {
    var generator = SeededGenerator(seed: 1_234_567)
    #expect(
      (0..<3).map { _ in generator.next() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      ])
  }
}
