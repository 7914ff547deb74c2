import Testing

@testable import Simulator

struct AttitudeTests {
  @Test func `Level, the board sees the world as it is`() {
    #expect(Attitude().seen([1, 2, 3]) == [1, 2, 3])
    #expect(Attitude().quaternion == [1, 0, 0, 0])
  }

  @Test func `A quarter to the left is a heading of 270 degrees`() {
    let left = Attitude(yaw: .pi / 2)
    #expect(abs(left.euler.heading - 270) < 1e-9)
    let north = left.seen([0, 1, 0])
    #expect(abs(north.x - 1) < 1e-9 && abs(north.y) < 1e-9)
  }

  @Test(arguments: PhysicalEvent.Pose.allCases)
  func `The poses show their axis to the sky`(_ pose: PhysicalEvent.Pose) {
    let up = pose.attitude.seen([0, 0, 1])
    let expected: SIMD3<Double> =
      switch pose {
      case .faceUp: [0, 0, 1]
      case .faceDown: [0, 0, -1]
      case .upright: [1, 0, 0]
      case .upsideDown: [-1, 0, 0]
      case .landscapeLeft: [0, 1, 0]
      case .landscapeRight: [0, -1, 0]
      }
    for axis in 0..<3 { #expect(abs(up[axis] - expected[axis]) < 1e-9) }
  }

  @Test func `Turning about the upward axis while lying on the side is seen about another axis`() {
    let rotation = Attitude(roll: .pi / 2).rotation(rates: Attitude(yaw: 1))
    #expect(abs(rotation.y - 1) < 1e-9 && abs(rotation.z) < 1e-9)
  }
}
