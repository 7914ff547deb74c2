import Testing

@testable import Simulator

struct AxisRemapTests {
  @Test(
    arguments: [
      ([0x88, 0x00], [1, 2, 3]), ([0x81, 0x01], [2, 1, -3]), ([0x8C, 0x00], [-1, 2, 3]),
      ([0xFF, 0x01], [-1, -2, -3]),
    ] as [([UInt8], SIMD3<Double>)])
  func `Sources and signs`(_ bytes: [UInt8], _ expected: SIMD3<Double>) {
    #expect(AxisRemap(bytes).applied(to: [1, 2, 3]) == expected)
  }

  @Test func `What is remapped is what the host gets`() {
    var bench = Bench(.s)
    bench.write("03 08 00 88 01", "03 04 01", "03 02 01 00", "03 01 01")
    let samples = bench.run(for: .seconds(1)).packets
    #expect(samples.count == 100 && samples.allSatisfy { $0.int16s()[2] < -3900 })
  }
}
