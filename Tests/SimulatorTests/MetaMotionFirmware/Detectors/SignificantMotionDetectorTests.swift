import Testing

@testable import Simulator

struct SignificantMotionDetectorTests {
  @Test func `Significant motion goes on after the skip`() {
    var bench = DetectorBench(
      SignificantMotionDetector(threshold: 0.1, skip: .seconds(1), proof: .seconds(1), flags: 1))
    #expect(bench.feel([0, 0, 1]).isEmpty && bench.feel([0, 0, 2]).isEmpty)
    #expect(bench.feel([0, 0, 2], 120).isEmpty)
    #expect(bench.feel([0, 0, 1]) == [1])
    // A single jerk is not significant, nor is one long after another.
    #expect(bench.feel([0, 0, 2]).isEmpty && bench.feel([0, 0, 2], 400).isEmpty)
    #expect(bench.feel([0, 0, 1]).isEmpty)
  }
}
