import Testing

@testable import Simulator

struct ThresholdProcessorTests {
  @Test(arguments: [("05", "- 0C 00 - - 07 00 -"), ("0D", "- 01 - - FF -")])
  func `Crossings are told, beyond the hysteresis`(_ mode: String, _ expected: String) throws {
    var bench = try ProcessorBench<ThresholdProcessor>("\(mode) 0A 00 00 00 02 00")
    let out = bench.feed("00 00", "0C 00", "0B 00", "08 00", "07 00", "0B 00")
    #expect(out.joined(separator: " ") == expected)
  }

  @Test func `The first value crosses nothing`() throws {
    var bench = try ProcessorBench<ThresholdProcessor>("0D 0A 00 00 00 00 00")
    #expect(bench.feed("0B 00", "09 00", "0A 00") == ["-", "FF", "01"])
    #expect(isRefused(ThresholdProcessor.self, "15 0A 00 00 00 00 00"))
  }
}
