import Testing

@testable import metafleet

@Suite struct PrintableTextTests {
  @Test(
    arguments: [
      ("Pump 3 – Süd ☃", "Pump 3 – Süd ☃"), ("a\u{1B}[31mb", "a\\u{1B}[31mb"), ("a\nb", "a\\nb"),
      ("a\u{202E}b", "a\\u{202E}b"), ("\u{200F}x", "\\u{200F}x"),
    ])
  func `F89 control and bidirectional characters are shown escaped`(_ text: String, _ expected: String) {
    #expect(printable(text) == expected)
  }
}
