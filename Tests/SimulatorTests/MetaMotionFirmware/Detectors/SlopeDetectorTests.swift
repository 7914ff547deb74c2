import Testing

@testable import Simulator

struct SlopeDetectorTests {
  @Test func `A slope is told once per episode, after so many samples`() {
    var bench = DetectorBench(
      SlopeDetector(axes: 7, threshold: 0.5, count: 2) { 0x02 | $0.flags(first: 0x08, sign: 0x40) })
    #expect(bench.feel([0, 0, 1]).isEmpty)
    #expect(bench.feel([0, 0, 2]).isEmpty)
    #expect(bench.feel([0, 0, 3]) == [0x22])
    #expect(bench.feel([0, 0, 4]).isEmpty)
    #expect(bench.feel([0, 0, 4], 3).isEmpty)
    #expect(bench.feel([0, -1, 4]).isEmpty)
    #expect(bench.feel([0, -2, 4]) == [0x52])
  }
}
