import Testing

@Suite struct DecisionRuleTests {
  @Test func `every file that decides has a test`() {
    #expect(
      DecisionRule.violations(in: Repository.sources, tests: Repository.tests, groups: TestGroups.byFile)
        == [])
  }

  @Test func `the table of groups holds no needless row`() {
    #expect(
      DecisionRule.needless(TestGroups.byFile, sources: Repository.sources, tests: Repository.tests) == [])
  }

  static let branching = "func f() { if a { } else if b { }; for c in d { guard e else { return } } }\n"

  @Test(arguments: [
    ("Sources/Fleet/Planted.swift", branching, true), ("Sources/Fleet/ConnectionSlotPlan.swift", "", true),
    ("Sources/Fleet/Planted+more.swift", branching, true),
    ("Sources/Fleet/Planted.swift", "struct Planted {}\n", false),
    ("Sources/Fleet/Planted.swift", "import Glibc\n" + branching, false),
  ])
  func `a decision without a test is found`(path: String, text: String, isFound: Bool) {
    let file = SourceFile(path: path, text: text)
    #expect(DecisionRule.violations(in: [file], tests: [], groups: [:]).isEmpty == !isFound)
    let tests = [SourceFile(path: "Tests/FleetTests/\(file.subject)Tests.swift", text: "")]
    #expect(DecisionRule.violations(in: [file], tests: tests, groups: [:]) == [])
  }

  @Test func `an aspect may have a test of its own`() {
    let file = SourceFile(path: "Sources/Fleet/Backoff+jitter.swift", text: "")
    let test = SourceFile(path: "Tests/FleetTests/BackoffJitterTests.swift", text: "")
    #expect(DecisionRule.violations(in: [file], tests: [test], groups: [:]) == [])
  }

  @Test func `a group counts as long as its file is there`() {
    let file = SourceFile(path: "Sources/Fleet/ConnectionSlotPlan.swift", text: "")
    let test = SourceFile(path: "Tests/FleetTests/ConnectionSchedulerTests.swift", text: "")
    let groups = ["ConnectionSlotPlan": "ConnectionSchedulerTests"]
    #expect(DecisionRule.violations(in: [file], tests: [test], groups: groups) == [])
    #expect(DecisionRule.violations(in: [file], tests: [], groups: groups).count == 1)
    #expect(DecisionRule.needless(groups, sources: [], tests: [test]) == ["ConnectionSlotPlan"])
  }
}
