import Testing

@testable import Simulator

struct TapDetectorTests {
  @Test func `One tap and two`() {
    func taps(_ enabled: UInt8, gap: Int) -> [UInt8] {
      var bench = DetectorBench(
        TapDetector(
          threshold: 1, shock: .milliseconds(50), quiet: .milliseconds(30), window: .milliseconds(250),
          enabled: enabled))
      var told = bench.feel([0, 0, 1], 10)
      for _ in 0..<2 { told += bench.feel([0, 0, -2]) + bench.feel([0, 0, 1], gap) }
      return told
    }
    #expect(taps(0x02, gap: 20) == [0x32, 0x32])
    #expect(taps(0x01, gap: 20) == [0x31])
    #expect(taps(0x03, gap: 20) == [0x32, 0x31])
    #expect(taps(0x01, gap: 60).isEmpty)
    #expect(taps(0x02, gap: 3) == [0x32])
  }
}
