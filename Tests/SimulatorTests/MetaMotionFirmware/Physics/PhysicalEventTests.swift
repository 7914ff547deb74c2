import Testing

@testable import Simulator

struct PhysicalEventTests {
  @Test func `In free fall nothing is felt, a tap is felt against the face`() {
    var motion = Motion(seed: 1, style: .resting)
    motion.happen(.fall(.milliseconds(300)), at: .seconds(1))
    #expect(motion.acceleration(at: .seconds(0.99)) == [0, 0, 1])
    #expect(motion.acceleration(at: .seconds(1.1)) == .zero)
    motion.happen(.tap, at: .seconds(2))
    #expect(motion.acceleration(at: .seconds(2.015)).z < -2)
    #expect(motion.acceleration(at: .seconds(2.1)) == [0, 0, 1])
  }

  @Test func `A turn ends in its pose and stays, until the next`() {
    var motion = Motion(seed: 1, style: .resting)
    motion.happen(.turn(.upright), at: .seconds(1))
    #expect(abs(motion.acceleration(at: .seconds(100)).x - 1) < 1e-9)
    motion.happen(.turn(.faceDown), at: .seconds(200))
    #expect(abs(motion.acceleration(at: .seconds(300)).z + 1) < 1e-9)
  }
}
