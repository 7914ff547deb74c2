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

  @Test func `Two taps are two jerks, and a shake goes to and fro`() {
    var motion = Motion(seed: 1, style: .resting)
    motion.happen(.doubleTap, at: .seconds(1))
    #expect(motion.acceleration(at: .seconds(1.015)).z < -2)
    #expect(motion.acceleration(at: .seconds(1.1)) == [0, 0, 1])
    #expect(motion.acceleration(at: .seconds(1.165)).z < -2)
    #expect(motion.acceleration(at: .seconds(1.3)) == [0, 0, 1])
    motion.happen(.shake(.seconds(2)), at: .seconds(2))
    let along = stride(from: 2.0, to: 4.0, by: 0.01).map { motion.acceleration(at: .seconds($0)).x }
    #expect((along.max() ?? 0) > 2.9 && (along.min() ?? 0) < -2.9)
    #expect(motion.acceleration(at: .seconds(4.1)) == [0, 0, 1])
  }

  @Test func `A turn begins where the one before has come to`() {
    var motion = Motion(seed: 1, style: .resting)
    motion.happen(.turn(.upright), at: .seconds(1))
    motion.happen(.turn(.upsideDown), at: .seconds(10))
    #expect(abs(motion.acceleration(at: .seconds(10)).x - 1) < 1e-9)
    // Half a turn in half a second.
    #expect(abs(motion.rotation(at: .seconds(10.2)).y - 360) < 1e-6)
    #expect(abs(motion.acceleration(at: .seconds(11)).x + 1) < 1e-9)
    #expect(motion.rotation(at: .seconds(11)) == .zero)
  }
}
