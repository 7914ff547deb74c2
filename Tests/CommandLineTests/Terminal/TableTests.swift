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

  @Test func `what is dispensable gives way, the largest rank first`() {
    var table = Table([.init("NAME"), .init("WIDE", rank: 2), .init("LINK"), .init("X", rank: 1)])
    table.rows = [["a", "wide text", "up", "1"], ["b"]]
    #expect(table.fitted(to: 24).lines()[1] == "a     wide text  up    1")
    #expect(table.fitted(to: 23).lines() == ["NAME  LINK  X", "a     up    1", "b"])
    #expect(table.fitted(to: 12).columns.map(\.title) == ["NAME", "LINK"])
    #expect(table.fitted(to: 1).columns.map(\.title) == ["NAME", "LINK"])
  }
}
