import Testing

@testable import Simulator

struct StillnessDetectorTests {
  @Test func `Stillness is told after its time, and again only after motion`() {
    var bench = DetectorBench(StillnessDetector(axes: 7, threshold: 0.1, duration: .seconds(1), flags: 4))
    #expect(bench.feel([0, 0, 1], 100).isEmpty)
    #expect(bench.feel([0, 0, 1], 500) == [4])
    #expect(bench.feel([0, 1, 1]).isEmpty)
    #expect(bench.feel([0, 1, 1], 500) == [4])
  }
}
