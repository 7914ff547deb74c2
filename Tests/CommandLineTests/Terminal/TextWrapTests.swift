import Testing

@testable import metafleet

@Suite struct TextWrapTests {
  @Test func `words stay whole and lines stay within the width`() {
    #expect(
      TextWrap.lines("one two three four", width: 9, margin: "  ", hanging: "    ") == [
        "  one two", "    three", "    four",
      ])
    #expect(TextWrap.lines("", width: 9) == [""])
    #expect(TextWrap.lines("incomprehensible", width: 5, margin: "# ") == ["# incomprehensible"])
  }
}
