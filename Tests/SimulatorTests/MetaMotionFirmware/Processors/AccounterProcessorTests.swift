import Testing

@testable import Simulator

struct AccounterProcessorTests {
  @Test func `With a prescale of three the time is the log's tick`() throws {
    var bench = try ProcessorBench<AccounterProcessor>("31 03")
    bench.uptime = .seconds(3)
    #expect(bench.feed("C1 00") == ["00 08 00 00 C1 00"])
    var unshifted = try ProcessorBench<AccounterProcessor>("31 00")
    unshifted.uptime = .seconds(3)
    #expect(unshifted.feed("C1 00") == ["00 40 00 00 C1 00"])
  }

  @Test func `A count runs, as wide as configured, and is reset by an empty state`() throws {
    var bench = try ProcessorBench<AccounterProcessor>("10 03")
    #expect(bench.feed("AA", "BB") == ["00 00 AA", "01 00 BB"])
    bench.set("")
    #expect(bench.feed("AA") == ["00 00 AA"])
    #expect(isRefused(AccounterProcessor.self, "12 03"))
  }
}
