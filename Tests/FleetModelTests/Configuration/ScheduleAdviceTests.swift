import Testing

@testable import FleetModel

/// What somebody wrote where a schedule is wanted, and what he is told to write.
@Suite struct ScheduleAdviceTests {
  @Test(
    arguments: [
      ("daily 2:30", "daily 02:30"), ("every day at 3", "daily 03:00"), ("@daily", "daily 00:00"),
      ("0 3 * * *", "daily 03:00"), ("sunday 03:00", "weekly sun 03:00"), ("daily 24:00", "daily 00:00"),
      ("24:00", "daily 00:00"), ("hourly", "1h"), ("Daily 03:00", "daily 03:00"), ("03:00", "daily 03:00"),
      ("daily at 3pm", "daily 15:00"), ("daily 12am", "daily 00:00"), ("daily 3 pm", "daily 15:00"),
      ("daily 03:00:00", "daily 03:00"), ("daily 0300", "daily 03:00"),
      ("weekly sunday 3:00", "weekly sun 03:00"),
      ("weekly 03:00", "weekly sun 03:00"), ("weekly day 03:00", "weekly sun 03:00"), ("every 15m", "15m"),
      ("15 minutes", "15m"), ("every hour", "1h"),
      ("daily 03:00, 15:00", "[daily 03:00, daily 15:00]"),
      ("mondays and fridays at 6:00", "[weekly mon 06:00, weekly fri 06:00]"),
      ("*/15 * * * *", "15m"), ("0 * * * *", "1h"), ("30 2 * * 0", "weekly sun 02:30"),
      ("30 2 * * 7", "weekly sun 02:30"),
      ("30 2 * * mon", "weekly mon 02:30"), ("@weekly", "weekly sun 00:00"), ("off", "never"),
    ])
  func `what is meant is said as it is written here`(text: String, meant: String) {
    #expect(ScheduleRule.parse(text) == nil)
    let hint = ScheduleAdvice.hint(for: text)
    #expect(hint?.hasSuffix("did you mean \(meant)?") == true, "\(hint ?? "no hint")")
  }

  @Test(
    arguments: [
      ("15m 8-18", "15m 08:00-18:00"), ("15m from 8 to 18", "15m 08:00-18:00"),
      ("every 15 minutes between 8am and 6pm", "15m 08:00-18:00"), ("08:00-18:00 15m", "15m 08:00-18:00"),
      ("15m except 22:00-06:00", "15m 06:00-22:00"), ("15m ±10%", "15m 10%"),
      ("15m jitter 10%", "15m 10%"),
      ("15m 08:00-18:00 10%", "15m 10% 08:00-18:00"), ("daily 3:00 10%", "daily 03:00 10%"),
      ("daily 03:00 08:00-18:00", "daily 03:00"),
    ])
  func `F205 what stands behind a rule is said as it is written here, too`(text: String, meant: String) {
    #expect(ScheduleRule.parse(text) == nil)
    let hint = ScheduleAdvice.hint(for: text)
    #expect(hint?.hasSuffix("did you mean \(meant)?") == true, "\(hint ?? "no hint")")
  }

  @Test func `intervals are as short as where they stand allows`() {
    #expect(
      ScheduleAdvice.hint(for: "50ms", atLeast: .milliseconds(100)) == "intervals are from 100ms to 366d")
  }

  @Test(
    arguments: [
      ("daily", "say when: daily 03:00"), ("weekly", "say when: weekly sun 03:00"),
      ("monthly", "there are no months"),
      ("@reboot", "words of cron"), ("0 3 1 * *", "lines of crontabs are not taken; write daily 03:00"),
      ("0s", "from 1s to 366d"), ("500ms", "from 1s to 366d"),
    ])
  func `what cannot be meant is said, too`(text: String, words: String) {
    #expect(ScheduleAdvice.hint(for: text)?.contains(words) == true)
  }

  @Test(arguments: ["", "x", "daily 25:00", "soon", "daily 03:60", "-5m", "* * *"])
  func `what nobody understands has no hint`(text: String) {
    #expect(ScheduleAdvice.hint(for: text) == nil)
  }

  @Test(
    arguments: [
      ("daily 03:00", "only intervals such as 60s"), ("daily 3:00", "only intervals such as 60s"),
      ("30 seconds", "did you mean 30s?"), ("every 5m", "did you mean 5m?"),
    ])
  func `where only an interval can be, times of day are shown their place`(text: String, words: String) {
    #expect(ScheduleAdvice.intervalHint(for: text)?.contains(words) == true)
  }

  @Test(arguments: ["1s", "never", "x", "off", ""])
  func `what is no time of day has no such hint`(text: String) {
    #expect(ScheduleAdvice.intervalHint(for: text) == nil)
  }

  @Test(arguments: [("8-18", "08:00-18:00"), ("08:00 - 24:00", "08:00-00:00"), ("8am to 6pm", "08:00-18:00")])
  func `hours are helped alike`(text: String, meant: String) {
    #expect(ScheduleAdvice.hoursHint(for: text) == "did you mean \(meant)?")
    #expect(ScheduleAdvice.hoursHint(for: "by day") == nil)
  }

  @Test func `the hint stands behind what is wrong, in lists, too`() {
    var check = ArgumentCheck()
    let place = ArgumentPlace.file.member("schedules").member("battery")
    _ = check.value("daily 2:30", as: ScheduleKeys.schedule, at: place)
    _ = check.value(["1h", "sunday 03:00"], as: ScheduleKeys.schedule, at: place)
    #expect(check.faults.map(\.path) == ["schedules.battery", "schedules.battery[1]"])
    #expect(check.faults.first?.text.hasSuffix("; did you mean daily 02:30?") == true)
    #expect(check.faults.last?.text.hasSuffix("; did you mean weekly sun 03:00?") == true)
  }
}
