import FleetModel
import Testing

/// MQTT contract 7.4, `visit`.
@Suite struct VisitPolicyTests {
  @Test(arguments: [("08:00-18:00", 480, 1_080), ("22:30-06:00", 1_350, 360), ("00:00-00:00", 0, 0)])
  func `hours are read`(text: String, start: Int, end: Int) {
    let hours = HoursOfDay(text)
    #expect(hours == HoursOfDay(start: start, end: end))
    #expect(hours?.text == text)
  }

  @Test(arguments: ["8-18", "08:00", "08:00-", "08:00-24:00", "08:00-18:00-19:00", "08:00 - 18:00"])
  func `other text is not`(text: String) { #expect(HoursOfDay(text) == nil) }

  @Test func `hours may go over midnight`() {
    let night = HoursOfDay(start: 1_350, end: 360)
    #expect(night.contains(minute: 1_400) && night.contains(minute: 0) && night.contains(minute: 359))
    #expect(!night.contains(minute: 360) && !night.contains(minute: 1_349))
    let day = HoursOfDay(start: 480, end: 1_080)
    #expect(day.contains(minute: 480) && !day.contains(minute: 1_080) && !day.contains(minute: 479))
    #expect(HoursOfDay(start: 0, end: 0).contains(minute: 700), "the whole day")
  }

  @Test func `visits are planned by any rule but never`() {
    let rules: [(ScheduleRule?, Bool)] = [
      (nil, false), (.never, false), (.any([.never]), false), (.daily(minute: 0), true),
      (.every(.seconds(60)), true),
    ]
    for (rule, isPlanned) in rules {
      var policy = VisitPolicy()
      policy.every = rule
      #expect(policy.isPlanned == isPlanned)
    }
  }
}
