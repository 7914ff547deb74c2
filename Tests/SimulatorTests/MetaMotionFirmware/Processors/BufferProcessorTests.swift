import Testing

@testable import Simulator

struct BufferProcessorTests {
  @Test func `The last value is the state, always of the configured length`() throws {
    var bench = try ProcessorBench<BufferProcessor>("05")
    #expect(bench.state == "00 00 00 00 00 00")
    #expect(bench.feed("01 02 03 04 05 06") == ["-"])
    #expect(bench.state == "01 02 03 04 05 06")
    bench.set("09")
    #expect(bench.state == "09 00 00 00 00 00")
    bench.set("01 02 03 04 05 06 07")
    #expect(bench.state == "09 00 00 00 00 00")
    #expect(isRefused(BufferProcessor.self, "11") && !isRefused(BufferProcessor.self, "10"))
  }
}
