import Testing

@testable import Simulator

struct OrientationDetectorTests {
  @Test func `Every orientation has its flags`() {
    var bench = DetectorBench(OrientationDetector(hysteresis: 0.0625, theta: 8, detectsFace: true))
    #expect(bench.feel([1, 0, 0.1]).isEmpty)
    #expect(bench.feel([-1, 0, 0.1]) == [0x03])
    #expect(bench.feel([0, 1, 0.1]) == [0x05])
    #expect(bench.feel([0, -1, 0.1]) == [0x07])
    #expect(bench.feel([0, -1, -0.2]) == [0x0F])
    #expect(bench.feel([1, 0, -0.2]) == [0x09])
    // Flat: nothing but the face can change; undecided: nothing at all.
    #expect(bench.feel([0, 0.1, 1]) == [0x01] && bench.feel([0.7, 0.72, 0.1]).isEmpty)
  }
}
