import Testing

@Suite struct SizeRuleTests {
  @Test func `no file has more than 500 lines`() {
    let paths = [".github", "Sources", "Tests", "dashboards", "deploy"].flatMap(Repository.files)
    let files = Dictionary(uniqueKeysWithValues: paths.map { ($0, Repository.text($0)) })
    #expect(SizeRule.violations(in: files) == [])
    let (sources, tests) = (SizeRule.median(of: Repository.sources), SizeRule.median(of: Repository.tests))
    print("\(files.count) files; median \(sources) lines of Swift in Sources, \(tests) in Tests")
  }

  @Test(arguments: [
    ("Long.swift", 500, 0), ("Long.swift", 501, 1), ("long.py", 501, 1), ("vectors.json", 501, 0),
  ])
  func `the limit is 500`(name: String, lines: Int, count: Int) {
    let files = ["Sources/Fleet/\(name)": String(repeating: "\n", count: lines)]
    #expect(SizeRule.violations(in: files).count == count)
  }

  @Test func `the median is the middle file's length`() {
    let files = [3, 1, 2].map { SourceFile(path: "a.swift", text: String(repeating: "\n", count: $0)) }
    #expect(SizeRule.median(of: files) == 2)
  }
}
