import Testing

@Suite struct MirrorRuleTests {
  @Test func `tests lie where what they test lies`() {
    #expect(MirrorRule.violations(in: Repository.sources, tests: Repository.tests) == [])
  }

  private static let sources = [
    "Sources/Fleet/Boards/Backoff.swift", "Sources/metafleet/Logs/Rows+csv.swift",
  ].map {
    SourceFile(path: $0, text: "")
  }

  @Test(arguments: [
    ("Tests/FleetTests/Boards/BackoffTests.swift", 0), ("Tests/FleetTests/BackoffTests.swift", 1),
    ("Tests/BlueZTests/BackoffTests.swift", 0), ("Tests/CommandLineTests/Logs/RowsCsvTests.swift", 0),
    ("Tests/CommandLineTests/Clients/RowsTests.swift", 1), ("Tests/FleetTests/OtherTests.swift", 0),
  ])
  func `a test that lies elsewhere is found`(path: String, count: Int) {
    let test = SourceFile(path: path, text: "")
    #expect(MirrorRule.violations(in: Self.sources, tests: [test]).count == count)
  }
}
