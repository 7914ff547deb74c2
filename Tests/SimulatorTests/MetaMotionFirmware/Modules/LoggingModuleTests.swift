import Testing

@testable import Simulator

struct LoggingModuleTests {
  @Test func `The log is empty, and remembers whether it runs`() {
    var bench = Bench(.s)
    #expect(
      bench.write("0B 85", "0B 81", "0B 01 01", "0B 81") == ["0B 85 00 00 00 00", "0B 81 00", "0B 81 01"])
  }
}
