import Testing

@testable import metafleet

@Suite struct FactSheetTests {
  private var sheet: FactSheet {
    var one = FactSheet.Section(title: "One")
    one.add("a", "short", .good)
    one.add("longer", "words that go on and on until they do not fit")
    one.add("empty", "")
    one.add("missing", nil)
    var evil = FactSheet.Section(title: "Two")
    evil.add("b", "\u{1B}[2J")
    return FactSheet(sections: [one, FactSheet.Section(title: "Nothing"), evil])
  }

  @Test func `labels stand in one column, long texts are wrapped, empty facts and sections left out`() {
    #expect(
      sheet.lines(width: 34, isColoured: false) == [
        "One", "  a       short", "  longer  words that go on and on", "          until they do not fit", "",
        "Two", "  b       \\u{1B}[2J",
      ])
  }

  @Test func `colours only where they are wanted`() {
    #expect(!sheet.lines(width: 80, isColoured: false).joined().contains("\u{1B}"))
    #expect(
      sheet.lines(width: 80, isColoured: true).contains(
        "  \u{1B}[2ma     \u{1B}[0m  \u{1B}[32mshort\u{1B}[0m"))
  }

  @Test(arguments: [0, 1, 5, 20]) func `a terminal of no width is no trouble`(_ width: Int) {
    #expect(sheet.lines(width: width, isColoured: true).count >= 5)
  }
}
