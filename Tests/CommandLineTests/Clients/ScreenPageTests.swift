import Testing

@testable import metafleet

@Suite struct ScreenPageTests {
  private func lines(_ rows: Int, above: [String] = ["one", "two"], list: [String]) -> [String] {
    var position = ListPosition()
    let page = ScreenPage(
      size: TerminalSize(columns: 20, rows: rows), isColoured: false, above: above, list: list,
      emptiness: "nothing is here, whatever one does", keys: "q quit")
    return page.lines(&position)
  }

  @Test func `a tall screen has all of it, a low one gives up the keys, then what is above, then the title`()
  {
    let list = ["TITLE", "a", "b", "c"]
    #expect(lines(8, list: list) == ["one", "two", "TITLE", "a", "b", "c", "", "q quit"])
    #expect(lines(6, list: list) == ["one", "two", "TITLE", "a", "b", "1–2 of 3  q quit"])
    #expect(lines(5, list: list) == ["one", "two", "TITLE", "a", "b"])
    #expect(lines(3, list: list) == ["TITLE", "a", "b"])
    #expect(lines(1, list: list) == ["a"])
  }

  @Test func `an empty list says why`() {
    #expect(lines(6, list: ["TITLE"]) == ["one", "two", "TITLE", "nothing is here, wh…", "", "q quit"])
  }
}
