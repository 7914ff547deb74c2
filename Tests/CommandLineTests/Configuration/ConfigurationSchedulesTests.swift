import FleetModel
import Testing

@testable import metafleet

@Suite struct ConfigurationSchedulesTests {
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
      ("schedules:\n  battery: daily 2:30", "did you mean daily 02:30?"),
      ("schedules:\n  clock: sunday 03:00", "did you mean weekly sun 03:00?"),
      ("profiles: { p: { visit: {\n  every: 0 3 * * * } } }", "did you mean daily 03:00?"),
      ("profiles: { p: { visit: { every: 1h,\n  hours: 8-18 } } }", "did you mean 08:00-18:00?"),
      (
        "profiles: { p: { stream: { temperature-die: {\n  every: daily 3:00 } } } }",
        "did you mean daily 03:00?"
      ),
      (
        "profiles: { p: { log: { temperature-die: {\n  every: daily 03:00 } } } }",
        "only intervals such as 60s can be here"
      ),
      ("schedules:\n  firmware_check: 1d 8-18", "did you mean 1d 08:00-18:00?"),
    ])
  func `a schedule that is written otherwise is one line with its place and the right form`(
    text: String, hint: String
  ) {
    let problems = read(text).problems
    #expect(problems.count == 1 && problems.first?.line == 2)
    #expect(problems.first?.text.contains(hint) == true, "\(problems)")
  }

  @Test
  func
    `F205 streams that are read take all that schedules can say; what boards read by themselves an interval`()
  {
    for every in [
      "100ms", "daily 03:00", "weekly sun 03:00 10%", "15m 10% 08:00-18:00", "[1h, daily 03:00]", "never",
    ] {
      #expect(read("profiles: { p: { stream: { temperature-die: { every: \(every) } } } }").problems.isEmpty)
    }
    let profile = read("profiles: { p: { stream: { temperature-die: { every: daily 03:00 } } } }")
    #expect(
      profile.configuration.profiles["p"]?.streams["temperature-die"]?.readRule == .daily(minute: 180))
    #expect(read("profiles: { p: { log: { temperature-die: { every: 60s } } } }").problems.isEmpty)
  }

  @Test func `F206 a stream that is read outside the hours of visits is warned about`() {
    let problems = read(
      "profiles: { p: { link: visit, stream: { temperature-die: {\n  every: daily 03:00 } }, visit: { hours: \"08:00-18:00\" } } }"
    ).problems
    #expect(problems.map(\.severity) == [.warning] && problems.first?.line == 2)
    #expect(problems.first?.text.contains("03:00 lies outside visit.hours") == true)
  }

  @Test func `visits take schedules, as polls do`() {
    let profile = read("profiles: { p: { visit: { every: [daily 03:00, 6h] } } }").configuration.profiles["p"]
    #expect(profile?.visit.every == .any([.daily(minute: 180), .every(.seconds(21_600))]))
  }
}
