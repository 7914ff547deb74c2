import FleetModel
import Testing

@testable import metafleet

/// What boards keep, and how they are visited (MQTT contract 7.4).
@Suite struct LogProfileTests {
  private func profile(_ lines: String) -> (profile: Profile?, problems: [ConfigurationProblem]) {
    let result = read("profiles:\n  p:\n" + lines.split(separator: "\n").map { "    \($0)\n" }.joined())
    return (result.configuration.profiles["p"], result.problems)
  }

  @Test func `logs take the keys of streams, but for the lanes`() throws {
    let (profile, problems) = profile(
      """
      log: { acceleration: { rate_hz: 100, range_g: 4 }, temperature-die: {}, acceleration-y: {}, step: {} }
      logging: { circular: true }
      """)
    #expect(problems == [])
    let logs = try #require(profile?.logs)
    #expect(logs["acceleration"]?.configuration["rate_hz"] == 100)
    #expect(logs["acceleration"]?.configuration["record"] == nil)
    #expect(logs["temperature-die"]?.configuration["every"] == "60s")
    #expect(logs.keys.sorted() == ["acceleration", "acceleration-y", "step", "temperature-die"])
    #expect(profile?.isLogCircular == true)
  }

  @Test(
    arguments: [
      ("log: { acceleration: { rate_hz: 90 } }", "nearest"),
      ("log: { acceleration: { record: true } }", "has no key \"record\""),
      ("log: { acceleration: { live_rate_hz: 1 } }", "has no key"),
      ("log: { accelerations: {} }", "did you mean acceleration?"),
      (
        "log: { acceleration: { rate_hz: 100 } }\nstream: { acceleration: { rate_hz: 50 } }",
        "acceleration is streamed and acceleration is logged with another rate_hz"
      ),
      (
        "log: { acceleration-y: { range_g: 2 } }\nstream: { acceleration: { range_g: 4 } }",
        "acceleration-y is logged with another range_g"
      ),
    ])
  func `what cannot be logged is refused`(_ text: String, _ words: String) {
    let problems = profile(text).problems
    #expect(problems.contains { $0.severity == .error && $0.text.contains(words) }, "\(problems)")
  }

  @Test func `a stream may be streamed and logged alike`() {
    #expect(
      profile(
        "log: { acceleration: { rate_hz: 100 } }\nstream: { acceleration: { rate_hz: 100, record: false } }"
      )
      .problems == [])
  }

  @Test func `a chain's to: log is in effect`() throws {
    let (profile, problems) = profile(
      "process: { calm: { from: acceleration, chain: [rms], to: [log] } }")
    #expect(problems == [])
    #expect(profile?.program.program.logs.keys.sorted() == ["calm"])
  }

  @Test func `visits have their defaults`() throws {
    let visit = try #require(profile("visit: { every: 1h }").profile?.visit)
    #expect(
      visit.every == .every(.seconds(3_600)) && visit.jitter == 10 && visit.download
        && visit.clear == .complete)
    #expect(visit.hours.isEmpty)
  }

  @Test func `visits are read in whole`() throws {
    let (profile, problems) = profile(
      """
      visit: { every: 30m, jitter: 5%, download: false, clear: published, hours: ["08:00-12:00", "22:00-06:00"] }
      link: visit
      """)
    #expect(problems == [])
    let visit = try #require(profile?.visit)
    #expect(visit.jitter == 5 && !visit.download && visit.clear == .published)
    #expect(visit.hours == [HoursOfDay(start: 480, end: 720), HoursOfDay(start: 1_320, end: 360)])
    #expect(profile?.link == .visit)
  }

  @Test func `a profile that extends another merges what is logged`() throws {
    let result = read(
      """
      profiles:
        base: { log: { acceleration: { rate_hz: 50 }, temperature-die: {} }, visit: { every: 1h, jitter: 5% } }
        p: { extends: base, log: { acceleration: { rate_hz: 100 } }, visit: { every: 2h } }
      """)
    #expect(result.problems == [])
    let profile = try #require(result.configuration.profiles["p"])
    #expect(profile.logs["acceleration"]?.configuration["rate_hz"] == 100)
    #expect(profile.logs["temperature-die"] != nil)
    #expect(profile.visit.every == .every(.seconds(7_200)) && profile.visit.jitter == 5)
  }
}
