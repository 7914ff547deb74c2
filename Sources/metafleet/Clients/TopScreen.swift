import FleetModel

/// The whole screen of `top`: what is on it for a size, and what keys change.
struct TopScreen: Sendable {
  private(set) var order: BoardSortOrder
  /// The first board that is shown.
  private(set) var offset = 0
  private var rowsForBoards = 1

  init(order: BoardSortOrder) { self.order = order }

  /// Takes a key; false when it asks to leave.
  mutating func press(_ key: TerminalKey) -> Bool {
    switch key {
    case .character("q"), .character("Q"), .interrupt: return false
    case .character("R"): order.isReversed.toggle()
    case .character(let letter):
      guard let key = BoardSortOrder.Key.allCases.first(where: { $0.letter == letter }) else { return true }
      order = BoardSortOrder(
        key: key, isReversed: key == order.key && key != .name ? !order.isReversed : false)
      offset = 0
    case .up: offset -= 1
    case .down: offset += 1
    case .pageUp: offset -= rowsForBoards
    case .pageDown: offset += rowsForBoards
    case .home: offset = 0
    case .end: offset = .max / 2
    }
    return true
  }

  /// Lines that fill the screen, none wider and not more than there are rows. What matters least goes first: the
  /// help, the adapters, the gateways, the headline; a row of boards is always there.
  mutating func lines(_ tables: FleetTables, _ size: TerminalSize, isColoured: Bool) -> [String] {
    let width = max(1, size.columns)
    func text(_ table: Table) -> [String] {
      table.fitted(to: width).lines(width: width, isColoured: isColoured)
    }
    let boards = text(tables.boards(order))
    var top = [TextWidth.cut("metafleet top  \(tables.headline)", to: width)]
    // A third of the screen at most is about gateways and adapters.
    for block in [text(tables.gateways), text(tables.adapters)] where block.count > 1 {
      let room = size.rows / 3 - top.count
      if room >= 3 { top += [""] + Self.cut(block, to: room - 1, width) }
    }
    top.append("")
    let isTall = size.rows >= top.count + 4
    let above = isTall ? top : Array(top.prefix(max(0, size.rows - 3)))
    rowsForBoards = max(1, size.rows - above.count - (isTall ? 2 : 1))
    let title = size.rows > 1 ? boards.prefix(1) : []
    offset = max(0, min(offset, boards.count - 1 - rowsForBoards))
    let help = TextWidth.cut(position(of: boards.count - 1) + Self.help(order), to: width)
    let below = isTall ? [isColoured ? Style.dim.apply(to: help) : help] : []
    let shown = boards.dropFirst(1 + offset).prefix(rowsForBoards)
    let filling = Array(repeating: "", count: max(0, rowsForBoards - shown.count))
    return Array((above + title + shown + filling + below).prefix(max(1, size.rows)))
  }

  private static func cut(_ lines: [String], to room: Int, _ width: Int) -> [String] {
    guard lines.count > room else { return lines }
    return lines.prefix(room - 1) + [TextWidth.cut("… \(lines.count - room + 1) more", to: width)]
  }

  /// Which rows are shown, where not all are.
  private func position(of count: Int) -> String {
    count <= rowsForBoards ? "" : "\(offset + 1)–\(offset + rowsForBoards) of \(count)  "
  }

  private static func help(_ order: BoardSortOrder) -> String {
    let keys = BoardSortOrder.Key.allCases.map { key in
      key == order.key
        ? "\(key.letter) [\(key.rawValue)\(order.isReversed ? ", reversed" : "")]"
        : "\(key.letter) \(key.rawValue)"
    }
    return "q quit  sort: \(keys.joined(separator: "  "))  R reverse  ↑↓ scroll"
  }
}
