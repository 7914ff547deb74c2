import Testing

@Suite struct EffectRuleTests {
  @Test func `only the listed files have effects`() {
    #expect(EffectRule.violations(in: Repository.sources, listed: EffectFiles.byTarget) == [])
  }

  @Test(arguments: [
    "func run() async {}", "async let a = b()", "actor Gateway {}", "package final actor Gateway {}",
    "let clock: any Clock<Duration>", "let now = ContinuousClock.now", "import Glibc", "internal import GRDB",
    "let now = Date()", "var random = SystemRandomNumberGenerator()",
  ])
  func `an effect outside the list is found`(line: String) {
    let file = SourceFile(path: "Sources/Fleet/BackoffPlan.swift", text: "\(line)\n")
    let found = EffectRule.violations(in: [file], listed: [:])
    #expect(found.map(\.path) == [file.path])
    #expect(EffectRule.violations(in: [file], listed: ["Fleet": ["BackoffPlan"]]) == [])
  }

  @Test func `words about effects are none`() {
    let text = "/// Not async, no actor Gateway, no Clock.\nlet text = \"async\"\nlet logClock = LogClock()\n"
    let file = SourceFile(path: "Sources/Fleet/BackoffPlan.swift", text: text)
    #expect(EffectRule.violations(in: [file], listed: [:]) == [])
  }

  @Test func `what is listed without need is found`() {
    let pure = SourceFile(path: "Sources/Fleet/Backoff.swift", text: "struct Backoff {}\n")
    let found = EffectRule.violations(in: [pure], listed: ["Fleet": ["Backoff", "Gone"]])
    #expect(found.map(\.path) == ["Sources/Fleet/Backoff.swift", "Fleet/Gone.swift"])
  }
}
