import FleetModel
import Testing

@testable import MetaMotion

struct LogClockTests {
  @Test func `the example of the reference`() throws {
    let clock = try #require(LogClock(bytes("0b841504000005")))
    #expect(clock == LogClock(tick: 1_045, resetID: 5))
    let arrival = Timestamp(milliseconds: 1_763_671_234_000)
    // 1530.76171875 ms.
    #expect((arrival - clock.bootTime(arrival: arrival)).wholeNanoseconds == 1_530_761_718)
  }

  @Test func `ticks are exact over their whole range`() {
    let arrival = Timestamp(milliseconds: 1_763_671_234_000)
    let boot = LogClock(tick: .max, resetID: 0).bootTime(arrival: arrival)
    #expect((arrival - boot).wholeNanoseconds == 4_294_967_295 * 5_859_375 / 4)
    #expect(LogClock(tick: 0, resetID: 0).bootTime(arrival: arrival) == arrival)
    #expect(LogClock(tick: .max, resetID: 0).bootTime(arrival: Timestamp(nanoseconds: .min)).nanoseconds > 0)
  }

  @Test func `short answers are none`() {
    #expect(LogClock(bytes("0b8415040000")) == nil)
    #expect(LogClock.length(bytes("0b8501")) == nil)
  }

  @Test func `the length may have two or four bytes`() {
    #expect(LogClock.length(bytes("0b859e010000")) == 0x19E)
    #expect(LogClock.length(bytes("0b859e01")) == 0x19E)
  }
}
