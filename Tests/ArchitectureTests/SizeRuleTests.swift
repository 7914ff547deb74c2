import Testing

@Suite struct SizeRuleTests {
  @Test func `no file has more than 500 lines`() {
    let files = Repository.sources + Repository.tests
    #expect(SizeRule.violations(in: files) == [])
    let (sources, tests) = (SizeRule.median(of: Repository.sources), SizeRule.median(of: Repository.tests))
    print("\(files.count) Swift files; median \(sources) lines in Sources, \(tests) in Tests")
  }

  @Test(arguments: [(500, true), (501, false)])
  func `the limit is 500`(lines: Int, isFine: Bool) {
    let file = SourceFile(path: "Sources/Fleet/Long.swift", text: String(repeating: "\n", count: lines))
    #expect(SizeRule.violations(in: [file]).isEmpty == isFine)
  }

  @Test func `the median is the middle file's length`() {
    let files = [3, 1, 2].map { SourceFile(path: "a.swift", text: String(repeating: "\n", count: $0)) }
    #expect(SizeRule.median(of: files) == 2)
  }
}
