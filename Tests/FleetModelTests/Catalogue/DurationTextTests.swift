import FleetModel
import Testing

/// Grammar of MQTT contract 7.1: one or more of number and unit.
@Suite struct DurationTextTests {
  private static let isReadCases: [(String, Duration)] = [
    ("90s", Duration.seconds(90)), ("1h30m", .seconds(5_400)), ("0.5s", .milliseconds(500)),
    ("250ms", .milliseconds(250)), ("15m", .seconds(900)), ("30d", .seconds(30 * 86_400)),
    ("2w", .seconds(14 * 86_400)), ("1d12h", .seconds(129_600)), ("0s", .zero),
    ("1m1ms", .milliseconds(60_001)), ("1s1s", .seconds(2)),
  ]

  @Test(arguments: isReadCases)
  func `is read`(text: String, duration: Duration) { #expect(DurationText.parse(text) == duration) }

  @Test(
    arguments: [
      "", " ", "90", "s", "90 s", " 90s", "90s ", "-5s", "+5s", "1e3s", "90S", "90sec", "1h 30m", "0x10s",
      ".", "..s", "1.2.3s", "٣s", "infs", "nans", "s90", "daily 03:00", "90s\u{0}", "1y", "90µs",
    ])
  func `what is no duration is refused`(text: String) { #expect(DurationText.parse(text) == nil) }

  @Test(
    arguments: [
      "101000w", String(repeating: "9", count: 400) + "s", String(repeating: "9", count: 30) + "ms",
      "0." + String(repeating: "0", count: 400) + "1w99999999w",
    ])
  func `F84 no length of digits traps; more than a century is refused`(text: String) {
    #expect(DurationText.parse(text) == nil)
  }

  private static let isWrittenCases: [(Duration, String)] = [
    (Duration.seconds(5_400), "1h30m"), (.milliseconds(250), "250ms"), (.zero, "0s"), (.seconds(-5), "0s"),
    (.milliseconds(90_061_001), "1d1h1m1s1ms"), (.seconds(60), "1m"), (.microseconds(999), "0s"),
  ]

  @Test(arguments: isWrittenCases)
  func `is written`(duration: Duration, text: String) { #expect(DurationText.format(duration) == text) }

  private static let isRoundedCases: [(Duration, String)] = [
    (.nanoseconds(19_997_613_071), "20s"), (.milliseconds(250), "250ms"), (.zero, "0s"), (.seconds(-5), "0s"),
    (.milliseconds(999), "999ms"), (.milliseconds(1_499), "1s"), (.milliseconds(1_500), "2s"),
    (.milliseconds(599_400), "9m59s"), (.milliseconds(599_600), "10m"), (.seconds(5_429), "1h30m"),
    (.seconds(5_430), "1h31m"), (.seconds(30 * 86_400), "30d"),
  ]

  @Test(arguments: isRoundedCases)
  func `rounded for people`(duration: Duration, text: String) {
    #expect(DurationText.rounded(duration) == text)
  }

  @Test(
    arguments: [
      (.milliseconds(250), "250ms"), (.milliseconds(1_001), "2s"), (.seconds(2), "2s"),
      (.milliseconds(599_001), "10m"),
      (.seconds(3_601), "1h1m"), (.zero, "0s"),
    ] as [(Duration, String)])
  func `a time to wait is never written too short`(duration: Duration, text: String) {
    #expect(DurationText.roundedUp(duration) == text)
  }

  @Test(arguments: [1, 59, 1_000, 60_000, 3_600_000, 86_400_001, 123_456_789, 604_800_000] as [Int64])
  func `comes back as it was`(milliseconds: Int64) {
    let duration = Duration.milliseconds(milliseconds)
    #expect(DurationText.parse(DurationText.format(duration)) == duration)
  }
}
