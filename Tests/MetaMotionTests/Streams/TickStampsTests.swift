import FleetModel
import Testing

@testable import MetaMotion

/// Board ticks as stamps (protocol reference, section 16.7).
struct TickStampsTests {
  /// 4096 ticks are 6 s.
  private static let six: UInt32 = 4_096

  private func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: 1_000_000 + milliseconds) }

  @Test func `late packets keep their time`() {
    var stamps = TickStamps()
    for (index, delay) in [30, 0, 400, 90].enumerated() {
      let tick = Self.six * UInt32(index)
      stamps.arrived(tick, at: at(6_000 * Int64(index) + Int64(delay)))
      // The first one is late and nobody knows; from the second on it is known better.
      #expect(
        abs((stamps.time(of: tick) - at(6_000 * Int64(index))).wholeMilliseconds) <= (index == 0 ? 30 : 2))
    }
  }

  @Test func `samples of one packet lie as far apart as they were`() {
    var stamps = TickStamps()
    stamps.arrived(Self.six, at: at(6_000))
    #expect(stamps.time(of: Self.six) == at(6_000))
    #expect(stamps.time(of: 0) == at(0))
  }

  @Test func `T58 ticks wrap after 72 days`() {
    var stamps = TickStamps()
    stamps.arrived(.max - 2_047, at: at(0))
    stamps.arrived(2_048, at: at(6_000))
    #expect(stamps.time(of: 2_048) == at(6_000))
  }

  @Test func `a drifting board is followed`() {
    var stamps = TickStamps()
    // 40 ppm slow, for ten hours: 1.4 s.
    for index in 0..<UInt32(6_000) {
      let now = 6_000 * Int64(index)
      stamps.arrived(Self.six * index, at: at(now + now * 40 / 1_000_000))
    }
    let last = at(6_000 * 5_999 + 6_000 * 5_999 * 40 / 1_000_000)
    #expect(abs((stamps.time(of: Self.six * 5_999) - last).wholeMilliseconds) <= 2)
  }

  @Test func `ticks that jump are believed`() {
    var stamps = TickStamps()
    stamps.arrived(0, at: at(0))
    stamps.arrived(1_000_000, at: at(10))
    #expect(stamps.time(of: 1_000_000) == at(10))
    stamps.arrived(5, at: at(20))
    #expect(stamps.time(of: 5) == at(20))
  }

  @Test func `F143 stamps increase although a later packet was on its way for a shorter time`() {
    var stamps = TickStamps()
    var last = Timestamp(nanoseconds: 0)
    // One sample in 10 ms, as nearly as ticks have it; the first packets are late by up to 400 ms.
    for (index, delay) in ([400, 390, 200, 0, 0, 100] + Array(repeating: 0, count: 500)).enumerated() {
      let tick = UInt32(index * 7)
      let taken = Int64(index) * 7 * 5_859_375 / 4 / 1_000
      stamps.arrived(
        tick, at: Timestamp(nanoseconds: 1_000_000_000_000 + taken * 1_000 + Int64(delay) * 1_000_000))
      let time = stamps.time(of: tick)
      #expect(time > last)
      last = time
    }
    #expect(
      abs((last - Timestamp(nanoseconds: 1_000_000_000_000 + 505 * 7 * 5_859_375 / 4)).inSeconds) < 0.002)
  }
}
