import Support
import Testing

@testable import FleetModel

/// What stands behind a rule: how far it spreads, and its hours.
@Suite struct ScheduleLimitsTests {
  private static let day = HoursOfDay(start: 480, end: 1_080)
  private static let quarter = ScheduleRule.every(.seconds(900))

  private static let readCases: [(String, ScheduleRule)] = [
    ("15m 10%", .limited(quarter, ScheduleLimits(jitter: 10))),
    ("15m 0%", .limited(quarter, ScheduleLimits(jitter: 0))),
    ("15m 08:00-18:00", .limited(quarter, ScheduleLimits(hours: [day]))),
    (
      "15m 10% 08:00-18:00 22:00-23:00",
      .limited(quarter, ScheduleLimits(jitter: 10, hours: [day, HoursOfDay(start: 1_320, end: 1_380)]))
    ),
    ("daily 03:00 50%", .limited(.daily(minute: 180), ScheduleLimits(jitter: 50))),
    ("weekly sun 03:00 5%", .limited(.weekly(weekday: 6, minute: 180), ScheduleLimits(jitter: 5))),
  ]

  @Test(arguments: readCases)
  func `F205 any rule may spread, an interval may keep to hours, and both are written as they are read`(
    text: String, rule: ScheduleRule
  ) {
    #expect(ScheduleRule.parse(text) == rule && rule.text == text)
    #expect(ScheduleRule(document: rule.document) == rule)
  }

  @Test(arguments: [
    "never 10%", "15m 08:00-18:00 10%", "10% 15m", "15m 101%", "daily 03:00 08:00-18:00", "15m 8-18", "10%",
    "08:00-18:00", "daily 10% 03:00", "15m 10% 10%",
  ])
  func `refused`(text: String) { #expect(ScheduleRule.parse(text) == nil) }

  /// 2025-11-20, 12:00 UTC.
  private let noon = Zones.utc(2025, 11, 20, 12)

  private func due(_ text: String, after last: Timestamp?, now: Timestamp? = nil, of who: String = "a")
    -> Timestamp?
  {
    ScheduleRule.parse(text)?.due(after: last, now: now ?? last ?? noon, in: .utc, of: who)
  }

  @Test func `F205 intervals spread, for each otherwise, and alike after a restart`() throws {
    let times = (1...200).compactMap { due("1h 10%", after: noon, of: "\($0)") }.map {
      ($0 - noon).inSeconds - 3_600
    }
    #expect(times.count == 200 && times.allSatisfy { abs($0) <= 360 })
    #expect((times.max() ?? 0) > 300 && (times.min() ?? 0) < -300)
    #expect(due("1h 10%", after: noon) == due("1h 10%", after: noon, now: noon + .seconds(99)))
  }

  @Test func `F205 times of day spread behind them, always by the same`() throws {
    let three = Zones.utc(2025, 11, 21, 3)
    let first = try #require(due("daily 03:00 50%", after: noon))
    #expect((0...1_800).contains((first - three).inSeconds))
    #expect(due("daily 03:00 50%", after: first) == first + .seconds(86_400))
    #expect(due("daily 03:00 50%", after: nil) == noon, "what was never done does not wait")
  }

  @Test func `F206 what is due outside the hours waits for them, and so does what was not done in them`() {
    let morning = Zones.utc(2025, 11, 21, 8)
    #expect(due("15m 08:00-18:00", after: noon) == noon + .seconds(900))
    #expect(due("15m 08:00-18:00", after: noon + .seconds(6 * 3_600 - 60)) == morning)
    // Due at 17:50 and not done by 18:00: nobody is disturbed at night.
    let late = due("15m 08:00-18:00", after: noon + .seconds(20_100), now: noon + .seconds(6 * 3_600))
    #expect(late == morning)
    #expect(due("15m 08:00-18:00", after: nil, now: noon + .seconds(8 * 3_600)) == morning)
    #expect(due("15m 08:00-18:00", after: nil) == noon)
    let night = ScheduleRule.parse("15m 08:00-18:00")?.hour(
      for: noon + .seconds(7 * 3_600), in: .utc, of: "a")
    #expect(night == morning, "what is tried again waits, too")
  }

  @Test func `F206 by day and by night at another pace`() {
    let rule = ScheduleRule.any(["10m 08:00-18:00", "2h 18:00-08:00"].compactMap { ScheduleRule.parse($0) })
    #expect(rule.due(after: noon, now: noon, in: .utc) == noon + .seconds(600))
    let evening = noon + .seconds(8 * 3_600)
    #expect(rule.due(after: evening, now: evening, in: .utc) == evening + .seconds(7_200))
    let five = noon + .seconds(6 * 3_600 - 300)
    #expect(rule.due(after: five, now: five, in: .utc) == five + .seconds(7_200))
  }

  @Test func `F206 hours are those of the site, in nights in which clocks are put forward, too`() {
    let saturday = Zones.utc(2026, 3, 28, 18)
    #expect(
      ScheduleRule.parse("1h 08:00-18:00")?.due(after: saturday, now: saturday, in: Zones.berlin)
        == Zones.utc(2026, 3, 29, 6))
  }

  @Test func `pauses count the hours, the pace does not`() {
    let rule = ScheduleRule.parse("15m 08:00-18:00")
    #expect(rule?.longestPause == .seconds(900 + 14 * 3_600) && rule?.pace == .seconds(900))
    #expect(rule?.interval == nil && ScheduleRule.parse("15m")?.interval == .seconds(900))
    #expect(ScheduleRule.parse("daily 03:00 10%")?.longestPause == .seconds(86_400))
    #expect(ScheduleRule.never.pace == nil)
  }

  @Test func `on a contact that happens anyway an interval is as much shorter as it spreads`() {
    let rule = ScheduleRule.parse("100m 10% 08:00-18:00")?.onContact
    guard case .limited(.every(let interval), let limits)? = rule else {
      return #expect(Bool(false), "\(rule as Any)")
    }
    #expect((4_799.9...4_800.1).contains(interval.inSeconds))
    #expect(limits == ScheduleLimits(jitter: 0, hours: [Self.day]))
    #expect(
      ScheduleRule.parse("daily 03:00 10%")?.onContact
        == .limited(.daily(minute: 180), ScheduleLimits(jitter: 0)))
  }

  @Test func `the first of an interval is at the start, or with the hours; times of day are waited for`() {
    let evening = noon + .seconds(8 * 3_600)
    func first(_ text: String) -> Timestamp? {
      ScheduleRule.parse(text)?.first(after: evening, in: .utc, of: "a")
    }
    #expect(first("15m") == evening && first("15m 08:00-18:00") == Zones.utc(2025, 11, 21, 8))
    #expect(first("daily 03:00") == Zones.utc(2025, 11, 21, 3) && first("never") == nil)
  }
}
