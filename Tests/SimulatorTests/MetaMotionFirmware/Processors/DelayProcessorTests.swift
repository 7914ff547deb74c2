import Testing

@testable import Simulator

struct DelayProcessorTests {
  @Test func `The oldest of so many samples comes out`() throws {
    var bench = try ProcessorBench<DelayProcessor>("01 02")
    #expect(bench.feed("01", "02", "03", "04") == ["-", "-", "01", "02"])
    var none = try ProcessorBench<DelayProcessor>("01 00")
    #expect(none.feed("01") == ["01"])
    #expect(isRefused(DelayProcessor.self, "10 02"))
  }
}
