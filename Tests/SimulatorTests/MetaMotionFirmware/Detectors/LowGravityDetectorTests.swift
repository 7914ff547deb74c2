import Testing

@testable import Simulator

struct LowGravityDetectorTests {
  @Test func `Low g, of each axis or of all together`() {
    var single = DetectorBench(
      LowGravityDetector(threshold: 0.5, hysteresis: 0.1, sums: false, duration: .milliseconds(20)))
    #expect(single.feel([0.4, 0.4, 0.4], 2).isEmpty && single.feel([0.4, 0.4, 0.4]) == [0x02])
    #expect(single.feel([0.55, 0, 0], 5).isEmpty && single.feel([0.4, 0, 0], 9).isEmpty)
    var sum = DetectorBench(
      LowGravityDetector(threshold: 0.5, hysteresis: 0.1, sums: true, duration: .milliseconds(20)))
    #expect(sum.feel([0.4, 0.4, 0.4], 10).isEmpty && sum.feel([0.1, 0.1, 0.1], 10) == [0x02])
  }
}
