import Testing

@testable import FleetModel

/// Grammar and meaning of MQTT contract 7.1.
@Suite struct ScheduleRuleTests {
  private static let isReadCases: [(String, ScheduleRule)] = [
    ("15m", ScheduleRule.every(.seconds(900))), ("1h30m", .every(.seconds(5_400))), ("never", .never),
    ("daily 03:00", .daily(minute: 180)), ("daily 00:00", .daily(minute: 0)),
    ("daily 23:59", .daily(minute: 1_439)), ("weekly mon 00:00", .weekly(weekday: 0, minute: 0)),
    ("weekly sun 03:30", .weekly(weekday: 6, minute: 210)),
  ]

  @Test(arguments: isReadCases)
  func `is read`(text: String, rule: ScheduleRule) { #expect(ScheduleRule.parse(text) == rule) }

  @Test(arguments: [
    "", " ", "15", "0s", "-5m", "daily", "daily 3:00", "daily 24:00", "daily 03:60", "daily 0300",
    "daily 03:00:00", "daily +3:00", "daily 03:-1", "daily ٠٣:٠٠", "weekly 03:00", "weekly sunday 03:00",
    "weekly sun", "SUN 03:00", "never ever", "hourly", "15m daily 03:00", "500ms", "53w",
  ])
  func `refused`(text: String) { #expect(ScheduleRule.parse(text) == nil) }

  // 2025-11-20T20:40:34Z was a Thursday.
  private let now = Timestamp(milliseconds: 1_763_671_234_000)
  private let midnight = Timestamp(milliseconds: 1_763_596_800_000)

  private func hours(_ hours: Double) -> Duration { .milliseconds(Int64(hours * 3_600_000)) }

  @Test func `an interval is due at once and then after its time`() {
    let rule = ScheduleRule.every(.seconds(900))
    #expect(rule.due(after: nil, now: now, in: .utc) == now)
    #expect(rule.due(after: now, now: now, in: .utc) == now + .seconds(900))
    #expect(rule.due(after: now - .seconds(5_000), now: now, in: .utc) == now - .seconds(4_100))
  }

  @Test(arguments: [
    ScheduleRule.daily(minute: 180), .weekly(weekday: 6, minute: 0), .any([.never, .daily(minute: 0)]),
  ])
  func `F186 what was never done is due at once, at times of day, too`(rule: ScheduleRule) {
    #expect(rule.due(after: nil, now: now, in: .utc) == now)
  }

  @Test func `never is never`() {
    #expect(ScheduleRule.never.due(after: nil, now: now, in: .utc) == nil)
    #expect(ScheduleRule.any([.never]).due(after: nil, now: now, in: .utc) == nil)
    #expect(ScheduleRule.any([]).due(after: nil, now: now, in: .utc) == nil)
  }

  private static let dailyCases: [(Int, Double, Double)] = [
    // Minute, offset, hours after midnight UTC at which it is due, seen from 20:40:34Z.
    (1_320, 0.0, 22.0), (180, 0, 27), (1_240, 0, 44 + 2.0 / 3), (180, 5.5, 21.5), (180, -8, 35),
    (0, 14, 34), (0, -12, 36),
  ]

  @Test(
    arguments: dailyCases)
  func `daily, by the site's clocks`(minute: Int, offset: Double, hour: Double) {
    let due = ScheduleRule.daily(minute: minute).due(after: now, now: now, in: TimeZoneRules(hours(offset)))
    #expect(due == midnight + hours(hour))
  }

  @Test func `what was done at its minute is due the next day`() {
    let rule = ScheduleRule.daily(minute: 180)
    let done = midnight + hours(3)
    #expect(rule.due(after: done, now: now, in: .utc) == done + hours(24))
    #expect(rule.due(after: done - .seconds(1), now: now, in: .utc) == done)
  }

  @Test func `what was missed is due in the past, hence at once`() {
    let due = ScheduleRule.daily(minute: 180).due(after: now - hours(72), now: now, in: .utc)
    #expect(due.map { $0 < now } == true)
  }

  private static let weeklyCases: [(Int, Int, Double, Double)] = [
    // Weekday from Monday, minute, offset, hours after Thursday's midnight UTC.
    (4, 180, 0.0, 27.0), (3, 1_320, 0, 22), (3, 180, 0, 7 * 24 + 3), (6, 180, 0, 75), (0, 0, 0, 96),
    (4, 60, 5.5, 19.5 + 7 * 24),
    (4, 180, 5.5, 21.5), (3, 1_380, -8, 31),
  ]

  @Test(
    arguments: weeklyCases)
  func `weekly, by the site's clocks`(weekday: Int, minute: Int, offset: Double, hour: Double) {
    let due = ScheduleRule.weekly(weekday: weekday, minute: minute).due(
      after: now, now: now, in: TimeZoneRules(hours(offset)))
    #expect(due == midnight + hours(hour))
  }

  @Test func `of several the first counts`() {
    let rule = ScheduleRule.any([.never, .daily(minute: 1_320), .every(.seconds(60))])
    #expect(rule.due(after: now, now: now, in: .utc) == now + .seconds(60))
    #expect(rule.due(after: now - hours(100), now: now, in: .utc) == now - hours(100) + .seconds(60))
  }

  @Test func `a clock that starts before 1970 in local time is no special case`() {
    // 1970-01-01T00:00:10Z is 19:00:10 on Wednesday, 31 December, five hours west.
    let boot = Timestamp(milliseconds: 10_000)
    #expect(
      ScheduleRule.daily(minute: 1_380).due(after: boot, now: boot, in: TimeZoneRules(hours(-5)))
        == Timestamp(
          milliseconds: 0)
        + hours(4))
    #expect(
      ScheduleRule.weekly(weekday: 2, minute: 1_380).due(after: boot, now: boot, in: TimeZoneRules(hours(-5)))
        == Timestamp(milliseconds: 0) + hours(4))
  }

  @Test(
    arguments: [Int64.min, .max],
    [
      ScheduleRule.daily(minute: 1_439), .weekly(weekday: 6, minute: 0), .every(.seconds(60)),
    ])
  func `the ends of time do not trap`(nanoseconds: Int64, rule: ScheduleRule) {
    let time = Timestamp(nanoseconds: nanoseconds)
    for offset in [hours(14), hours(-12)] {
      #expect(rule.due(after: time, now: time, in: TimeZoneRules(offset)) != nil)
    }
  }

  private static let isWrittenCases: [(ScheduleRule, JSONValue)] = [
    (.every(.seconds(900)), "15m"), (.daily(minute: 185), "daily 03:05"),
    (.weekly(weekday: 6, minute: 0), "weekly sun 00:00"), (.never, "never"),
    (.any([.never, .daily(minute: 0)]), ["never", "daily 00:00"]),
  ]

  @Test(arguments: isWrittenCases)
  func `rules are written as they are read`(rule: ScheduleRule, document: JSONValue) {
    #expect(rule.document == document)
    #expect(ScheduleRule(document: document) == rule)
  }

  @Test func `what is done on a contact anyway may be a tenth early; times of day are not`() {
    #expect(ScheduleRule.every(.seconds(900)).onContact == .every(.seconds(810)))
    let rule = ScheduleRule.any([.daily(minute: 5), .weekly(weekday: 0, minute: 5), .never])
    #expect(rule.onContact == rule)
    #expect(ScheduleRule.any([.every(.seconds(10))]).onContact == .any([.every(.seconds(9))]))
  }

  @Test func `the longest pause is that of the most frequent rule`() {
    #expect(ScheduleRule.any([.weekly(weekday: 0, minute: 0), .daily(minute: 0)]).longestPause == hours(24))
    #expect(ScheduleRule.any([.never]).longestPause == nil && ScheduleRule.never.longestPause == nil)
  }
}
