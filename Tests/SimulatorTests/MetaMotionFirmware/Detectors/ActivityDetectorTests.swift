import FleetModel
import Testing

@testable import Simulator

struct ActivityDetectorTests {
  @Test func `Walking, running, still: told on change`() {
    var detector = ActivityDetector()
    var motion = Motion(seed: 1, style: .resting)
    motion.happen(.walk(steps: 10, interval: .milliseconds(600)), at: .seconds(1))
    motion.happen(.walk(steps: 20, interval: .milliseconds(320)), at: .seconds(6.9))
    let told = (0..<3000).compactMap { index -> UInt8? in
      let now = Duration.milliseconds(10 * index)
      return detector.feel(motion.acceleration(at: now), at: now)
    }
    #expect(told == [0x02, 0x04, 0x00])
  }
}
