import Testing

@testable import metafleet

@Suite struct TextWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한", 2), ("😀", 2), ("▁█", 2), ("⌚", 2),
    ("🫠", 2), ("🇩🇪", 2), ("❤\u{FE0F}", 2),
  ])
  func `columns on a terminal`(_ text: String, _ columns: Int) {
    #expect(TextWidth.of(text) == columns)
  }

  @Test(arguments: [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("日本語", 4, "日…"), ("abc", 1, "…"), ("abc", 0, "")])
  func `what does not fit is cut`(_ text: String, _ width: Int, _ expected: String) {
    #expect(TextWidth.cut(text, to: width) == expected)
  }
}
