import Testing

@Suite struct NameRuleTests {
  @Test func `names help`() {
    let files = (Repository.sources + Repository.tests).filter { !$0.name.hasPrefix("NameRule") }
    #expect(NameRule.violations(in: files, modules: Set(ImportTable.rows.keys)) == [])
  }

  @Test(arguments: [
    ("Sources/Fleet/Planted.swift", "package struct Fleet {}"),
    ("Sources/Fleet/Planted.swift", "struct Planted {\n  enum Fleet {}\n}"),
    ("Sources/Fleet/Planted.swift", "public protocol Storage {}"),
    ("Sources/Fleet/StringUtils.swift", ""), ("Sources/Fleet/Helpers/Backoff.swift", ""),
    ("Sources/Fleet/Common.swift", ""), ("Sources/Fleet/Core/Backoff.swift", ""),
    ("Sources/Fleet/Backoff.swift", "// MARK: - Public"),
  ])
  func `a name that does not help is found`(path: String, text: String) {
    let file = SourceFile(path: path, text: text)
    #expect(NameRule.violations(in: [file], modules: ["Fleet", "Storage"]).count == 1)
  }

  @Test func `a nested type may be called as another module`() {
    let file = SourceFile(
      path: "Sources/Fleet/Planted.swift", text: "struct Planted {\n  struct Storage {}\n}")
    #expect(NameRule.violations(in: [file], modules: ["Fleet", "Storage"]) == [])
  }
}
