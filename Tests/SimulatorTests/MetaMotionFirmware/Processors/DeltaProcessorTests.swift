import Testing

@testable import Simulator

struct DeltaProcessorTests {
  @Test(
    arguments: [("05", "- 0A 00 - 03 00"), ("0D", "- 0A 00 - F9 FF"), ("15", "- 01 - FF")])
  func `What has moved far enough is told, and is the new reference`(_ mode: String, _ expected: String)
    throws
  {
    var bench = try ProcessorBench<DeltaProcessor>("\(mode) 05 00 00 00")
    #expect(bench.feed("04 00", "0A 00", "0E 00", "03 00").joined(separator: " ") == expected)
    #expect(bench.state == "03 00 00 00")
  }

  @Test func `The state sets the reference`() throws {
    var bench = try ProcessorBench<DeltaProcessor>("0D 05 00 00 00")
    bench.set("F0 FF")
    #expect(bench.feed("F4 FF", "F5 FF") == ["-", "05 00"])
    bench.set("")
    #expect(bench.state == "00 00 00 00")
    #expect(isRefused(DeltaProcessor.self, "1D 05 00 00 00"))
  }
}
