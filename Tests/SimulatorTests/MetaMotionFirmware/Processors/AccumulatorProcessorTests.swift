import Testing

@testable import Simulator

struct AccumulatorProcessorTests {
  @Test func `A counter counts and wraps at its width`() throws {
    var bench = try ProcessorBench<AccumulatorProcessor>("10")
    #expect(bench.feed("01", "00") == ["01", "02"])
    bench.set("FF 00 00 00")
    #expect(bench.feed("01") == ["00"])
    #expect(bench.state == "00 01 00 00")
  }

  @Test func `A sum adds what comes, signs included`() throws {
    // Two bytes in, four bytes out.
    var bench = try ProcessorBench<AccumulatorProcessor>("07")
    #expect(bench.feed("10 00", "FF FF") == ["10 00 00 00", "0F 00 00 00"])
    bench.set("00 CD 8B 01")
    #expect(bench.feed("01 00") == ["01 CD 8B 01"])
    bench.set("")
    #expect(bench.state == "00 00 00 00")
  }

  @Test func `Other modes do not exist`() { #expect(isRefused(AccumulatorProcessor.self, "20")) }
}
