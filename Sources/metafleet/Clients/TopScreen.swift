import Dialects
import FleetModel

/// The whole screen of `top`: what is on it for a size, and what keys change.
struct TopScreen: Sendable {
  private(set) var order: BoardSortOrder
  private var list = ListKeys()
  private var base: BoardFilter
  private var isHelp = false

  init(order: BoardSortOrder, filter: BoardFilter = BoardFilter()) { (self.order, base) = (order, filter) }

  /// Which boards are listed.
  var filter: BoardFilter {
    var filter = base
    filter.text = list.typed.text
    return filter
  }

  /// Takes a key; false when it asks to leave.
  mutating func press(_ key: TerminalKey) -> Bool {
    if isHelp, key != .interrupt {
      isHelp = false
      return true
    }
    switch list.press(key) {
    case .leave: return false
    case .done: return true
    case .other: break
    }
    switch key {
    case .character("?"): isHelp = true
    case .character("t"):
      base.isTrouble.toggle()
      list.position.rewind()
    case .character("R"): order.isReversed.toggle()
    case .character(let letter):
      guard let key = BoardSortOrder.Key.allCases.first(where: { $0.letter == letter }) else { return true }
      order = BoardSortOrder(
        key: key, isReversed: key == order.key && key != .name ? !order.isReversed : false)
      list.position.rewind()
    case .escape:
      list.forgetText()
      base.isTrouble = false
    default: break
    }
    return true
  }

  /// Lines that fill the screen, none wider and not more than there are rows. What matters least goes first: the
  /// keys, the adapters, the gateways, the alarms, the headline; a row of boards is always there.
  mutating func lines(
    _ tables: FleetTables, _ size: TerminalSize, notice: String? = nil, isColoured: Bool
  ) -> [String] {
    let width = max(1, size.columns)
    func text(_ table: Table) -> [String] {
      table.fitted(to: width).lines(width: width, isColoured: isColoured)
    }
    if isHelp {
      return Self.helpPage.prefix(max(1, size.rows)).map { TextWidth.cut($0, to: width) }
    }
    var tables = tables
    tables.filter = filter
    var page = ScreenPage(size: size, isColoured: isColoured, list: text(tables.boards(order)))
    func cut(_ line: String) -> String { TextWidth.cut(line, to: width) }
    page.above = [cut("metafleet top  \(tables.headline)")] + (notice.map { [cut($0)] } ?? [])
    // A third of the screen at most is about alarms, gateways and adapters; only a tall one has lines to spare.
    let gap = size.rows >= 30 ? [""] : []
    let alarms = AlarmTable.table(tables.monitor.fleet, now: tables.now)
    for block in [text(alarms), text(tables.gateways), text(tables.adapters)] where block.count > 1 {
      let room = size.rows / 3 - page.above.count - gap.count
      if room >= 2 { page.above += gap + Self.beginning(of: block, room, width) }
    }
    page.above.append(
      cut(
        list.typed.isTyping
          ? "find: \(list.typed.text)_" : filter.isEmpty ? "" : "only boards \(filter.words)"))
    page.emptiness = FleetSummary.emptiness(of: tables.monitor.fleet, filter)
    page.keys = keys
    return page.lines(&list.position)
  }

  private static func beginning(of lines: [String], _ room: Int, _ width: Int) -> [String] {
    guard lines.count > room else { return lines }
    return lines.prefix(room - 1) + [TextWidth.cut("… \(lines.count - room + 1) more", to: width)]
  }

  private var keys: String {
    if list.typed.isTyping { return "Enter keep  Esc all boards" }
    let keys = BoardSortOrder.Key.allCases.map { key in
      key == order.key
        ? "\(key.letter) [\(key.rawValue)\(order.isReversed ? ", reversed" : "")]"
        : "\(key.letter) \(key.rawValue)"
    }
    return "q quit  ? help  / find  t trouble  sort: \(keys.joined(separator: "  "))  R reverse  ↑↓ scroll"
  }

  private static let helpPage = [
    "metafleet top: keys, and what the columns say", "",
    "q quit   / find boards by name, id, group, gateway   t only boards with trouble",
    "Esc all boards again   arrows, page keys, Home, End scroll   R reverse",
    "sort: n name  l link  b battery  s signal  r rate  x loss  c clock", "",
    "ALARM     what to see to, and for how long it is so; noted as seen by",
    "          metafleet send gateway:ID alarm-acknowledge alarm=CODE.ID",
    "BOARDS    online of all boards of the gateway",
    "SLOTS     links of all places on adapters that are up",
    "OUTBOX    messages that wait for the broker; OLDEST of them; DROPPED samples",
    "LINK      waiting-to-connect: places are free, it is not its turn yet;",
    "          waiting-for-slot: all places are taken",
    "UPDATE    of firmware: what is done, or how much is sent and how long the",
    "          rest takes; rescuing: it waits in its bootloader. While there are any",
    "RATE      samples a second; LOST and FAILED: samples and sessions in 24 h",
    "SEEN      last advertisement or answer; now while it is connected",
    "TROUBLE   why a board is not online, or does not do what it should:",
    "          metafleet explain NAME says what to do",
    "–         not known, or of a gateway that is gone", "",
    "any key goes back",
  ]
}
