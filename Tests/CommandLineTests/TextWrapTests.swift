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

  @Test(arguments: [
    ("Demo 2", "Demo 10", true), ("Demo 10", "Demo 2", false), ("a", "B", true), ("a", "a", false),
  ])
  func `names are in the order in which people look for them`(
    _ left: String, _ right: String, _ isBefore: Bool
  ) {
    #expect(NaturalOrder.isBefore(left, right) == isBefore)
  }
}
