import FleetModel
import Testing

@testable import metafleet

@Suite struct TopScreenTests {
  private let tables = FleetTables(
    monitor: exampleMonitor(), uptime: .seconds(1), now: Timestamp(milliseconds: 1_763_671_090_000))

  private func lines(_ columns: Int, _ rows: Int, after keys: [TerminalKey] = []) -> [String] {
    var screen = TopScreen(order: BoardSortOrder())
    let size = TerminalSize(columns: columns, rows: rows)
    _ = screen.lines(tables, size, isColoured: false)
    for key in keys { _ = screen.press(key) }
    return screen.lines(tables, size, isColoured: false)
  }

  @Test func `a screen that is large enough shows everything`() {
    let lines = lines(160, 40)
    #expect(lines.count == 40)
    #expect(lines.first == "metafleet top  1 of 6 boards online, 1 with trouble, 50 samples/s")
    for title in ["GATEWAY  STATE", "ADAPTER  GATEWAY", "NAME"] {
      #expect(lines.contains { $0.hasPrefix(title) })
    }
    #expect(lines.contains { $0.hasPrefix("NAME") && $0.hasSuffix("ID            GATEWAY") })
    #expect(lines.last?.hasPrefix("q quit  ? help  / find  t trouble  sort: n [name]") == true)
  }

  @Test func `narrow terminals drop columns, the least important first`() {
    func title(_ columns: Int) -> String { lines(columns, 40).first { $0.hasPrefix("NAME") } ?? "" }
    #expect(!title(120).contains("GATEWAY"))
    #expect(title(70).contains("LOST"))
    #expect(!title(70).contains("SEEN"))
    #expect(title(36).split(separator: " ") == ["NAME", "LINK", "RATE"])
  }

  @Test func `every size is survived: never wider, never taller, and boards are always there`() {
    for columns in [1, 2, 3, 7, 20, 40, 80, 200] {
      for rows in 1...30 {
        let lines = lines(columns, rows)
        #expect(lines.count <= rows)
        #expect(lines.allSatisfy { TextWidth.of($0) <= columns }, "\(columns) × \(rows)")
        if columns >= 40 { #expect(lines.contains { $0.contains("east") }, "\(columns) × \(rows)") }
      }
    }
  }

  @Test func `arrows scroll as far as there are boards, and the help says where one is`() {
    func first(_ keys: [TerminalKey]) -> String? {
      let all = lines(60, 6, after: keys)
      return all.first { $0.hasPrefix("NAME") }.flatMap { title in
        all.firstIndex(of: title).map { String(all[$0 + 1].prefix(7)) }
      }
    }
    #expect(first([]) == "east   ")
    #expect(first([.down, .down]) == "Pump 3 ")
    #expect(first([.down, .up, .up, .up]) == "east   ")
    #expect(first([.end]) == first([.pageDown, .pageDown, .pageDown]))
    #expect(first([.end, .down, .home]) == "east   ")
    #expect(lines(60, 6).last?.hasPrefix("1–") == true)
  }

  private func names(after keys: [TerminalKey]) -> [String] {
    let all = lines(160, 40, after: keys)
    let rows = all.firstIndex { $0.hasPrefix("NAME") }.map { all[($0 + 1)...] } ?? []
    return rows.prefix { !$0.isEmpty }.map { String($0.prefix { $0 != " " }) }
  }

  @Test func `a slash finds boards by name, id, group or gateway while one types; Escape has all again`() {
    let typed: [TerminalKey] = [.character("/")] + "PUMPS".map { .character($0) }
    #expect(names(after: typed).count == 1)
    #expect(lines(160, 40, after: typed).contains("find: PUMPS_"))
    #expect(lines(160, 40, after: typed).last == "Enter keep  Esc all boards")
    // A letter that is typed is no command.
    #expect(
      lines(160, 40, after: [.character("/"), .character("q")]).contains("none of 6 boards is with \"q\""))
    #expect(names(after: typed + [.enter]).count == 1)
    #expect(lines(160, 40, after: typed + [.enter]).contains("only boards with \"PUMPS\""))
    #expect(names(after: typed + [.backspace, .backspace, .backspace, .backspace]).count == 3)
    #expect(names(after: typed + [.enter, .escape]).count == 6)
    let nothing = lines(160, 40, after: [.character("/"), .character("%")])
    #expect(nothing.contains("none of 6 boards is with \"%\""))
  }

  @Test func `t lists only what has trouble, and says so; the question mark explains, and any key goes back`()
  {
    #expect(names(after: [.character("t")]) == ["Pump"])
    #expect(lines(160, 40, after: [.character("t")]).contains("only boards with trouble"))
    #expect(names(after: [.character("t"), .character("t")]).count == 6)
    let help = lines(80, 24, after: [.character("?")])
    #expect(help.count <= 24 && help.contains { $0.hasPrefix("TROUBLE") })
    #expect(names(after: [.character("?"), .character("q")]).count == 6)
  }

  @Test(arguments: [40, 80, 120, 150, 200])
  func `F212 colours change nothing but the colour: no title and no trouble is cut off for them`(
    _ columns: Int
  ) {
    let size = TerminalSize(columns: columns, rows: 45)
    for notice in [
      nil, "a broker that is gone, of which there is much to say, more than a narrow screen holds",
    ] {
      var (plain, coloured) = (TopScreen(order: BoardSortOrder()), TopScreen(order: BoardSortOrder()))
      let bare = coloured.lines(tables, size, notice: notice, isColoured: true).map {
        $0.replacing(#/\x1B\[[0-9;]*m/#, with: "")
      }
      #expect(bare == plain.lines(tables, size, notice: notice, isColoured: false))
    }
  }

  @Test func `F211 what there is to say of the connection stands below the headline`() {
    var screen = TopScreen(order: BoardSortOrder())
    let size = TerminalSize(columns: 80, rows: 24)
    let lines = screen.lines(tables, size, notice: "broker gone for 3s", isColoured: false)
    #expect(lines[1] == "broker gone for 3s" && lines.count == 24)
  }

  @Test func `80 by 24 shows gateways, adapters and boards of a fleet of two gateways`() {
    let lines = lines(80, 24)
    #expect(lines.contains { $0.hasPrefix("hci0") })
    #expect(lines.contains { $0.hasPrefix("g2") })
    #expect(lines.count { $0.contains("g1  ") || $0.hasPrefix("Pump") || $0.hasPrefix("Twin") } >= 5)
  }

  @Test func `keys sort, the same again reverses, others do nothing, q leaves`() {
    var screen = TopScreen(order: BoardSortOrder())
    var stays = true
    stays = screen.press(.character("b")) && stays
    #expect(screen.order == BoardSortOrder(key: .battery))
    stays = screen.press(.character("b")) && stays
    #expect(screen.order == BoardSortOrder(key: .battery, isReversed: true))
    stays = screen.press(.character("R")) && stays
    stays = screen.press(.character("z")) && stays
    #expect(screen.order == BoardSortOrder(key: .battery))
    stays = screen.press(.character("n")) && stays
    #expect(screen.order == BoardSortOrder())
    #expect(stays)
    for key in [.character("q"), .interrupt] as [TerminalKey] {
      let stays = screen.press(key)
      #expect(!stays)
    }
  }
}
