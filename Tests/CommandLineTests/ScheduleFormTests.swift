import FleetModel
import Testing

@testable import metafleet

@Suite struct ScheduleFormTests {
  @Test(
    arguments: [
      ("15m", true), ("daily 03:00", true), ("weekly sun 23:59", true), ("never", true),
      ("[1h, daily 03:00]", true), ("900", false), ("daily 24:00", false), ("weekly day 03:00", false),
      ("[]", false),
      ("[1h, x]", false), ("0s", false),
    ])
  func `schedules`(_ text: String, _ isRight: Bool) {
    #expect(read("schedules: { battery: \(text) }").problems.isEmpty == isRight)
  }

  @Test func `a list of one rule is that rule`() {
    #expect(read("schedules: { battery: [1h] }").configuration.schedules.battery == .every(.seconds(3_600)))
  }

  @Test(
    arguments: [
      (.every(.seconds(900)), "15m"), (.daily(minute: 185), "daily 03:05"),
      (.weekly(weekday: 6, minute: 0), "weekly sun 00:00"), (.never, "never"),
      (.any([.never, .daily(minute: 0)]), "[never, daily 00:00]"),
    ] as [(ScheduleRule, String)])
  func `rules are written as they are read`(_ rule: ScheduleRule, _ text: String) {
    #expect(ValueForm<ScheduleRule>.schedule.write(rule) == text)
  }
}
