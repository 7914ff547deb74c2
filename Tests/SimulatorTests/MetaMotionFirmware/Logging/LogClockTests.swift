import Testing

@testable import Simulator

struct LogClockTests {
  @Test func `The clock runs at 32768/48 Hz from the start of the processor`() {
    #expect(LogClock.ticks(at: .zero) == 0)
    #expect(LogClock.ticks(at: .milliseconds(1530.76)) == 0x0415 - 1)
    #expect(LogClock.ticks(at: .milliseconds(1530.77)) == 0x0415)
    #expect(LogClock.ticks(at: .seconds(3)) == 2048)
    #expect(LogClock.ticks(at: .seconds(3 * 86400)) == 176_947_200)
  }

  @Test func `The clock wraps after 72.8 days`() {
    let wrap = Duration.seconds((1 << 32) / 2048 * 3)
    #expect(LogClock.ticks(at: wrap - .microseconds(1)) == .max)
    #expect(LogClock.ticks(at: wrap) == 0)
  }

  @Test func `The accounter's unit is an eighth of a tick`() {
    #expect(LogClock.eighths(at: .seconds(3)) == 16384)
    #expect(LogClock.eighths(at: .milliseconds(1530.77)) >> 3 == 0x0415)
    #expect(LogClock.eighths(at: .seconds(-3)) == 0)
  }
}
