import FleetModel
import Testing

@testable import Fleet

@Suite struct RetentionClockTests {
  private static let year = Duration.seconds(365 * 86_400)

  private static func at(_ seconds: Int64) -> Timestamp { .at(1_000 * seconds) }

  /// A clock that has shown the right time for an hour.
  private func settled() -> RetentionClock {
    var clock = RetentionClock()
    for minute in 0...60 {
      _ = clock.time(Self.at(Int64(minute) * 60), uptime: .seconds(minute * 60), isSynced: false)
    }
    return clock
  }

  @Test func `F262 a clock that runs is believed, and one that was set back, too`() {
    var clock = settled()
    #expect(clock.time(Self.at(3_630), uptime: .seconds(3_630), isSynced: false) == Self.at(3_630))
    #expect(clock.time(Self.at(-86_400), uptime: .seconds(3_660), isSynced: false) == Self.at(-86_400))
    #expect(clock.time(Self.at(-86_370), uptime: .seconds(3_690), isSynced: false) == Self.at(-86_370))
  }

  @Test(arguments: [Duration.seconds(61), .seconds(7_200), year])
  func `F262 a clock that was set forward makes nothing old for a day, and then it counts`(step: Duration) {
    var clock = settled()
    for hour in 1...24 {
      let uptime = Duration.seconds(3_600 * (1 + hour))
      let time = clock.time(Self.at(0) + uptime + step, uptime: uptime, isSynced: false)
      #expect(time == Self.at(0) + uptime, "hour \(hour)")
    }
    let later = Duration.seconds(3_600 * 26)
    let then = Self.at(0) + later + step
    #expect(clock.time(then, uptime: later, isSynced: false) == then)
  }

  @Test func `F262 a clock that was wrong for some hours has cost nothing`() {
    var clock = settled()
    let wrong = clock.time(Self.at(3_630) + Self.year, uptime: .seconds(3_630), isSynced: false)
    let right = clock.time(Self.at(7_200), uptime: .seconds(7_200), isSynced: true)
    #expect(wrong == Self.at(3_630) && right == Self.at(7_200))
    // The next jump has a day of its own.
    let again = clock.time(Self.at(90_000) + Self.year, uptime: .seconds(90_000), isSynced: false)
    #expect(again == Self.at(90_000))
  }

  @Test func `F262 a time service is believed at once`() {
    var clock = settled()
    let time = clock.time(Self.at(3_630) + Self.year, uptime: .seconds(3_630), isSynced: true)
    #expect(time == Self.at(3_630) + Self.year)
  }

  @Test func `F262 a start with a clock far ahead of all that was recorded is a jump like any other`() {
    var clock = RetentionClock()
    clock.begin(after: Self.at(0), uptime: .seconds(5))
    #expect(clock.time(Self.at(0) + Self.year, uptime: .seconds(5), isSynced: false) == Self.at(0))
    var restarted = RetentionClock()
    restarted.begin(after: Self.at(0), uptime: .seconds(5))
    #expect(restarted.time(Self.at(30), uptime: .seconds(5), isSynced: false) == Self.at(30))
    // What was recorded without a clock tells nothing, and neither does an empty history.
    var first = RetentionClock()
    first.begin(after: Timestamp(milliseconds: 60_000), uptime: .zero)
    first.begin(after: nil, uptime: .zero)
    #expect(first.time(Self.at(0), uptime: .zero, isSynced: false) == Self.at(0))
  }

  @Test func `F265 what the next run has to know is kept every ten minutes, and when the clock is set back`()
  {
    var clock = RetentionClock()
    #expect(clock.due == nil)
    _ = clock.time(Self.at(0), uptime: .zero, isSynced: false)
    #expect(clock.due == Self.at(0))
    clock.kept(Self.at(0))
    _ = clock.time(Self.at(570), uptime: .seconds(570), isSynced: false)
    #expect(clock.due == nil)
    _ = clock.time(Self.at(600), uptime: .seconds(600), isSynced: false)
    #expect(clock.due == Self.at(600))
    clock.kept(Self.at(600))
    _ = clock.time(Self.at(599), uptime: .seconds(630), isSynced: false)
    #expect(clock.due == Self.at(599))
  }

  @Test func `F265 of a clock that nobody has set nothing is learned, and nothing is old by it`() {
    var clock = RetentionClock()
    let unset = Timestamp(nanoseconds: 60_000_000_000)
    #expect(clock.time(unset, uptime: .seconds(60), isSynced: false) == Timestamp(nanoseconds: .min))
    #expect(clock.due == nil)
    #expect(clock.time(Self.at(0), uptime: .seconds(70), isSynced: false) == Self.at(0))
    #expect(clock.due == Self.at(0))
    #expect(clock.time(Self.at(10) + Self.year, uptime: .seconds(80), isSynced: false) == Self.at(10))
  }

  @Test func `F265 a clock that stands ahead is not believed behind a restart either`() {
    var clock = settled()
    clock.kept(Self.at(3_600))
    _ = clock.time(Self.at(4_300) + Self.year, uptime: .seconds(4_300), isSynced: false)
    #expect(clock.due == Self.at(4_300))
    var restarted = RetentionClock()
    restarted.begin(after: clock.due, uptime: .seconds(7))
    #expect(
      restarted.time(Self.at(4_350) + Self.year, uptime: .seconds(7), isSynced: false) == Self.at(4_300))
  }

  @Test func `F262 a computer that slept for an hour has only become older by that hour`() {
    var clock = settled()
    #expect(clock.time(Self.at(7_300), uptime: .seconds(7_300), isSynced: false) == Self.at(7_300))
  }
}
