import Testing

@testable import Simulator

struct PulseProcessorTests {
  static let wave = ["00 00", "0A 00", "0C 00", "0B 00", "00 00", "0A 00", "00 00"]

  @Test(
    arguments: [
      ("00", "- - - - 03 00 - -"), ("01", "- - - - 21 00 00 00 - -"), ("02", "- - - - 0C 00 - -"),
      ("03", "- - 01 - - - -"),
    ])
  func `Two samples above five make a pulse`(_ output: String, _ expected: String) throws {
    var bench = try ProcessorBench<PulseProcessor>("01 00 \(output) 05 00 00 00 02 00")
    #expect(bench.feed(Self.wave).joined(separator: " ") == expected)
  }

  @Test func `Other triggers and outputs do not exist`() {
    #expect(isRefused(PulseProcessor.self, "01 01 00 05 00 00 00 02 00"))
    #expect(isRefused(PulseProcessor.self, "01 00 04 05 00 00 00 02 00"))
  }
}
