import Testing

@testable import Simulator

struct HighGravityDetectorTests {
  @Test func `High g lasts`() {
    var bench = DetectorBench(
      HighGravityDetector(axes: 7, threshold: 2, hysteresis: 0.5, duration: .milliseconds(15)))
    #expect(bench.feel([0, -3, 0]).isEmpty && bench.feel([0, 0, 1]).isEmpty)
    #expect(bench.feel([0, -3, 0], 10) == [0x29])
    #expect(bench.feel([0, -1.8, 0], 10).isEmpty && bench.feel([0, -3, 0], 10).isEmpty)
    #expect(bench.feel([0, 0, 0]).isEmpty)
    #expect(bench.feel([3, 0, 0], 10) == [0x05])
  }
}
