import Testing

@testable import Simulator

struct SensorNoiseTests {
  @Test func `Noise is about normal, and the same whenever it is asked for`() {
    let noise = SensorNoise(seed: 3)
    let values = (0..<20_000).map { noise.value(at: .milliseconds($0), channel: 0) }
    let mean = values.reduce(0, +) / 20_000
    let variance = values.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / 20_000
    #expect(abs(mean) < 0.03 && abs(variance - 1) < 0.05)
    #expect(noise.value(at: .milliseconds(77), channel: 0) == values[77])
    #expect(noise.value(at: .milliseconds(77), channel: 1) != values[77])
  }
}
