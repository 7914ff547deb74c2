import Testing

@Suite struct TestNameRuleTests {
  @Test func `every test has a sentence for its name`() {
    #expect(TestNameRule.violations(in: Repository.tests) == [])
    #expect(Repository.tests.flatMap(displayed) == [])
  }

  @Test func `another name is found`() {
    let file = SourceFile(
      path: "Tests/FleetTests/PlantedTests.swift",
      text: "@Test func aName() {}\n@Test(arguments: [1]) func `a name`(x: Int) {}\n")
    #expect(TestNameRule.violations(in: [file]).count == 1)
  }

  @Test func `a second name is found`() {
    let text = "@Test(\n  \"a name\") func aName() {}\n  @Test(arguments: [\"a\"]) func `a`() {}"
    #expect(displayed(SourceFile(path: "Tests/FleetTests/PlantedTests.swift", text: text)).count == 1)
  }

  /// Literals are no tokens, so that this one looks at the text; quoted sources of other rules' tests are none.
  private func displayed(_ file: SourceFile) -> [String] {
    file.text.matches(of: /(?m)^\s*@Test\(\s*"/).map { "\(file.path): \($0.output)" }
  }
}
