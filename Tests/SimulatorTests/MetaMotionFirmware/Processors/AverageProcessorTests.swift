import Testing

@testable import Simulator

struct AverageProcessorTests {
  @Test func `A low-pass approaches the values by one part in its depth`() throws {
    var bench = try ProcessorBench<AverageProcessor>("05 04")
    #expect(bench.feed("00 00", "00 01", "00 01") == ["00 00", "40 00", "70 00"])
    let late = bench.feed(Array(repeating: "00 01", count: 40)).last
    #expect(late == "FF 00")
    bench.set("")
    #expect(bench.feed("05 00") == ["05 00"])
  }

  @Test func `A high-pass is what is left over, channel by channel`() throws {
    var bench = try ProcessorBench<AverageProcessor>("25 02 01")
    #expect(bench.feed("00 01 F0 FF", "00 03 F2 FF") == ["00 00 00 00", "00 01 01 00"])
  }

  @Test func `A depth of zero and input that does not divide are refused`() throws {
    #expect(isRefused(AverageProcessor.self, "05 00") && isRefused(AverageProcessor.self, "05"))
    var bench = try ProcessorBench<AverageProcessor>("05 04 02")
    #expect(bench.feed("01 02 03 04") == ["-"])
  }
}
