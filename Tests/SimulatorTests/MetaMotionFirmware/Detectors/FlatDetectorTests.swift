import Testing

@testable import Simulator

struct FlatDetectorTests {
  @Test(arguments: [(false, [0x03, 0x01, 0x03] as [UInt8]), (true, [0x05, 0x01, 0x07])])
  func `Flat, not flat, and flat on the face`(_ detectsFace: Bool, _ flags: [UInt8]) {
    var bench = DetectorBench(FlatDetector(angle: 5.7, hold: .milliseconds(640), detectsFace: detectsFace))
    #expect(bench.feel([0, 0, 1], 64).isEmpty && bench.feel([0, 0, 1]) == [flags[0]])
    #expect(bench.feel([1, 0, 1], 100) == [flags[1]])
    #expect(bench.feel([0, 0, 1], 30).isEmpty && bench.feel([1, 0, 1], 100).isEmpty)
    #expect(bench.feel([0, 0, -1], 100) == [flags[2]])
  }
}
