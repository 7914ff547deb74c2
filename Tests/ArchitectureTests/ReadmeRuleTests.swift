import Testing

@Suite struct ReadmeRuleTests {
  @Test(arguments: Repository.documents)
  func `every path the documentation names is there`(document: String) {
    let text = Repository.text(document)
    #expect(ReadmeRule.violations(in: text, at: document, exists: Repository.exists) == [])
  }

  @Test(arguments: [(".github/CONTRIBUTING.md", 100), ("Tests/README.md", 15), ("README.md", 5)])
  func `documents for those who change something name many paths`(document: String, count: Int) {
    #expect(ReadmeRule.paths(in: Repository.text(document)).count > count)
  }

  @Test func `a path that is not there is found`() {
    let text =
      "| change it | `Fleet/Gone.swift` or `deploy/gone`, [this](dashboards/gone.json), `Fleet/Gateway.swift` |"
    let found = ReadmeRule.violations(in: text, at: "README.md") { $0 == "Sources/Fleet/Gateway.swift" }
    #expect(found.count == 3)
  }

  @Test func `commands and topics are no paths`() {
    let text =
      "`metafleet run`, `metafleet/board/<id>/state`, `B/board`, `systemctl`, [out](https://example.org/a.md)"
    #expect(ReadmeRule.paths(in: text) == [])
  }
}
