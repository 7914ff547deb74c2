import FleetModel
import Testing

@testable import Simulator

struct PedometerTests {
  /// Steps counted while somebody walks.
  private func count(_ pedometer: Pedometer, steps: Int, interval: Duration) -> Int {
    var pedometer = pedometer
    var motion = Motion(seed: 1, style: .resting)
    motion.happen(.walk(steps: steps, interval: interval), at: .seconds(1))
    return (0..<3000).reduce(0) { total, index in
      let now = Duration.milliseconds(10 * index)
      return total + pedometer.feel(motion.acceleration(at: now), at: now)
    }
  }

  @Test(arguments: [300, 500, 900])
  func `Every step is counted once`(_ milliseconds: Int) {
    let pedometer = Pedometer(threshold: 0.12, heldBack: 0)
    #expect(count(pedometer, steps: 20, interval: .milliseconds(milliseconds)) == 20)
  }

  @Test func `Too few in a row are none, but when there are enough all count`() {
    let pedometer = Pedometer(threshold: 0.12, heldBack: 3)
    #expect(count(pedometer, steps: 3, interval: .milliseconds(500)) == 0)
    #expect(count(pedometer, steps: 4, interval: .milliseconds(500)) == 4)
  }

  @Test func `Shaking is no walking`() {
    #expect(count(Pedometer(threshold: 0.12, heldBack: 0), steps: 100, interval: .milliseconds(50)) <= 20)
  }
}
