import Testing

@Suite struct CommentWidthRuleTests {
  @Test func `no comment is wider than 120 columns`() {
    #expect((Repository.sources + Repository.tests).flatMap(CommentWidthRule.violations) == [])
  }

  @Test(arguments: [("/// ", 116, 0), ("  // ", 116, 1), ("let text = ", 200, 0)])
  func `a wide comment is found`(start: String, words: Int, count: Int) {
    let file = SourceFile(path: "A.swift", text: "let a = 1\n" + start + String(repeating: "x", count: words))
    #expect(CommentWidthRule.violations(in: file).count == count)
  }
}
