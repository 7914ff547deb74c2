import Testing

@testable import Simulator

struct PassthroughProcessorTests {
  @Test func `A count lets so many pass and is set again through the state`() throws {
    var bench = try ProcessorBench<PassthroughProcessor>("02 02 00")
    #expect(bench.feed("01", "02", "03") == ["01", "02", "-"])
    #expect(bench.state == "00 00")
    bench.set("01 00")
    #expect(bench.feed("04", "05") == ["04", "-"])
    bench.set("")
    #expect(bench.state == "02 00")
    bench.set("01 02 03")
    #expect(bench.state == "02 00")
  }

  @Test func `As a condition the count is not used up`() throws {
    var bench = try ProcessorBench<PassthroughProcessor>("01 00 00")
    #expect(bench.feed("01") == ["-"])
    bench.set("02 00")
    #expect(bench.feed("01", "02", "03") == ["01", "02", "03"])
  }

  @Test func `All means all`() throws {
    var bench = try ProcessorBench<PassthroughProcessor>("00 00 00")
    #expect(bench.feed("01", "02") == ["01", "02"])
    #expect(isRefused(PassthroughProcessor.self, "03 00 00") && isRefused(PassthroughProcessor.self, "00 00"))
  }
}
