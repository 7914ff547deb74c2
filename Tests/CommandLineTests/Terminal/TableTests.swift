import Testing

@testable import metafleet

@Suite struct TableTests {
  private let table: Table = {
    var table = Table([.init("NAME"), .init("RSSI", isRight: true), .init("LINK")])
    table.rows = [
      [.init("Pump 3", .bold), "-63", "streaming"],
      ["日本", "-7", "idle"],
    ]
    return table
  }()

  @Test func `columns are aligned, also where characters are wide`() {
    #expect(
      table.lines() == [
        "NAME    RSSI  LINK",
        "Pump 3   -63  streaming",
        "日本      -7  idle",
      ])
  }

  @Test func `lines are cut to the width of the terminal`() {
    #expect(
      table.lines(width: 14) == [
        "NAME    RSSI",
        "Pump 3   -63",
        "日本      -7",
      ])
    #expect(table.lines(width: 4) == ["NAME", "Pum…", "日本"])
  }

  @Test func `colours only when they are wanted`() {
    #expect(!table.lines().joined().contains("\u{1B}"))
    #expect(table.lines(isColoured: true)[1].hasPrefix("\u{1B}[1mPump 3\u{1B}[0m"))
  }

  @Test func `a table without rows is its titles`() {
    #expect(Table([.init("A"), .init("B")]).lines() == ["A  B"])
  }

  @Test(arguments: [
    String(repeating: "x", count: 300), String(repeating: "日", count: 300),
    printable(String(repeating: "\u{1B}]0;", count: 60)), String(repeating: "🫠", count: 300),
  ])
  func `F212 one long name widens no table, and costs no column`(_ name: String) {
    var table = Table([Table.names("NAME"), .init("LINK"), .init("RATE", isRight: true, rank: 1)])
    table.rows = [[.init(name), "streaming", "50/s"], ["Pump 3", "idle", "–"]]
    #expect(table.lines().map(TextWidth.of).max() == 40 + 2 + 9 + 2 + 4)
    #expect(table.lines()[1].contains("…") && table.lines()[1].hasSuffix("streaming  50/s"))
    let narrow = table.fitted(to: 41)
    #expect(narrow.columns.map(\.title) == ["NAME", "LINK", "RATE"])
    #expect(narrow.lines().map(TextWidth.of).max() == 24 + 2 + 9 + 2 + 4)
  }

  @Test func `what is dispensable gives way, the largest rank first`() {
    var table = Table([.init("NAME"), .init("WIDE", rank: 2), .init("LINK"), .init("X", rank: 1)])
    table.rows = [["a", "wide text", "up", "1"], ["b"]]
    #expect(table.fitted(to: 24).lines()[1] == "a     wide text  up    1")
    #expect(table.fitted(to: 23).lines() == ["NAME  LINK  X", "a     up    1", "b"])
    #expect(table.fitted(to: 12).columns.map(\.title) == ["NAME", "LINK"])
    #expect(table.fitted(to: 1).columns.map(\.title) == ["NAME", "LINK"])
  }
}
