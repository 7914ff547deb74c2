import FleetModel
import Testing

@testable import metafleet

@Suite struct ProfileInheritanceTests {
  @Test func `maps merge by key and ours win`() {
    let result = read(
      """
      profiles:
        heir:
          extends: base
          stream: { acceleration: { rate_hz: 100 }, switch: {} }
          link: hold
        base:
          extends: root
          stream: { acceleration: { rate_hz: 25, range_g: 8 } }
          link: visit
        root:
          stream: { temperature-die: { every: 5s } }
          button: false
      """)
    #expect(result.problems == [])
    let heir = result.configuration.profiles["heir"]
    #expect(heir?.streams["acceleration"]?.configuration["rate_hz"] == 100)
    #expect(heir?.streams["acceleration"]?.configuration["range_g"] == 8)
    #expect(heir?.streams["temperature-die"]?.configuration["every"] == "5s")
    #expect(heir?.streams["switch"] != nil)
    #expect(heir?.link == .hold)
    #expect(heir?.button == false)
    #expect(result.configuration.profiles["base"]?.streams["acceleration"]?.configuration["rate_hz"] == 25)
  }

  @Test func `what an heir lacks may come from its base`() {
    let text = """
      profiles:
        heir: { extends: base, stream: { temperature-external: { active_high: true } } }
        base: { stream: { temperature-external: { data_pin: 1, pulldown_pin: 2 } } }
      """
    #expect(problems(text) == [])
  }

  @Test func `an inherited problem is reported once, under the profile that has it`() {
    let text = """
      profiles:
        heir: { extends: base }
        base: { link: hodl }
      """
    #expect(
      problems(text) == [
        "3:17 error profiles.base.link: profiles.base.link must be one of auto, hold, visit, not \"hodl\"; did you mean hold?"
      ])
  }

  @Test(
    arguments: [
      (
        "profiles: { a: { extends: b } }",
        [
          "1:27 error profiles.a.extends: profiles.a.extends names the profile \"b\", which is not in the file; did you mean a?"
        ]
      ),
      (
        "profiles: { a: { extends: a } }",
        ["1:27 error profiles.a.extends: profiles.a.extends goes round in a circle: a → a; break it"]
      ),
      (
        "profiles:\n  A: {}\n",
        [
          "2:3 error a key of profiles: a key of profiles must be lower-case letters, digits, _ and -, at most 32, starting with a letter or digit, not \"A\""
        ]
      ),
    ])
  func `faults of inheritance and names`(_ text: String, _ expected: [String]) {
    #expect(problems(text) == expected)
  }

  @Test func `a circle through several profiles is found`() {
    let found = problems("profiles:\n  a: { extends: b }\n  b: { extends: c }\n  c: { extends: a }\n")
    #expect(!found.isEmpty)
    #expect(found.allSatisfy { $0.contains("goes round in a circle") })
  }
}
