import Testing

@testable import Simulator

struct MotionTests {
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
}
