import Testing

@testable import Simulator

struct LoggingModuleTests {
  @Test func `The clock runs at 32768/48 Hz from the start of the processor`() {
    #expect(LoggingModule.tick(at: .zero) == 0)
    #expect(LoggingModule.tick(at: .milliseconds(1530.76)) == 0x0415 - 1)
    #expect(LoggingModule.tick(at: .milliseconds(1530.77)) == 0x0415)
    #expect(LoggingModule.tick(at: .seconds(3)) == 2048)
    #expect(LoggingModule.tick(at: .seconds(3 * 86400)) == 176_947_200)
  }

  @Test func `The clock wraps after 72.8 days`() {
    let wrap = Duration.seconds((1 << 32) / 2048 * 3)
    #expect(LoggingModule.tick(at: wrap - .microseconds(1)) == .max)
    #expect(LoggingModule.tick(at: wrap) == 0)
  }

  @Test func `The log is empty, and remembers whether it runs`() {
    var bench = Bench(.s)
    #expect(
      bench.write("0B 85", "0B 81", "0B 01 01", "0B 81") == ["0B 85 00 00 00 00", "0B 81 00", "0B 81 01"])
  }
}
