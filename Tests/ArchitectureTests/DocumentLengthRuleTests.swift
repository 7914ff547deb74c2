import Testing

@Suite struct DocumentLengthRuleTests {
  @Test func `the README has at most 1 000 words`() {
    let texts = DocumentLengthRule.limits.mapValues { _ in "" }.map { ($0.key, Repository.text($0.key)) }
    #expect(DocumentLengthRule.violations(in: Dictionary(uniqueKeysWithValues: texts)) == [])
    #expect(DocumentLengthRule.words(in: Repository.text("README.md")) > 300)
  }

  @Test(arguments: [("README.md", 1_000, 0), ("README.md", 1_001, 1), ("Tests/README.md", 1_001, 0)])
  func `a long README is found`(path: String, words: Int, count: Int) {
    let text = String(repeating: "word\n", count: words)
    #expect(DocumentLengthRule.violations(in: [path: text]).count == count)
  }
}
