import Dialects
import FleetModel

/// `watch` on a terminal: what is on the screen for a size, and what keys change.
struct WatchDisplay: LiveDisplay {
  private var fleet: FleetView
  private var live = LiveBoard()
  private var order = LiveBoard.Order.name
  private var isReversed = false
  private var list = ListKeys()

  init(_ fleet: FleetView) { self.fleet = fleet }

  /// Faster than people read is for nothing.
  var framePeriod: Duration { .milliseconds(200) }

  mutating func received(_ message: MQTTMessage, at uptime: Duration) {
    guard let sample = LiveSampleDocument(message.payload), let board = sample[.board], sample[.stream] != nil
    else { return fleet.apply(topic: message.topic, payload: message.payload) }
    live.received(sample, name: fleet.boards[board]?.name ?? board.description)
  }

  mutating func press(_ key: TerminalKey) -> Bool {
    switch list.press(key) {
    case .leave: return false
    case .done: return true
    case .other: break
    }
    switch key {
    case .character("R"): isReversed.toggle()
    case .character(let letter):
      guard let new = LiveBoard.Order(rawValue: letter) else { return true }
      (order, isReversed) = (new, new == order ? !isReversed : false)
      list.position.rewind()
    case .escape: list.forgetText()
    default: break
    }
    return true
  }

  mutating func restored() {}

  mutating func isWhole(after span: Duration) -> Bool { true }

  mutating func lines(
    at uptime: Duration, _ now: Timestamp, _ size: TerminalSize, notice: String?, isColoured: Bool
  ) -> [String] {
    let width = max(1, size.columns)
    let table = live.table(fitting: width, now: now, by: order, isReversed: isReversed, with: list.typed.text)
    var page = ScreenPage(
      size: size, isColoured: isColoured, list: table.lines(width: width, isColoured: isColoured))
    let typed = list.typed
    let search =
      typed.isTyping || !typed.text.isEmpty ? "find: \(typed.text)\(typed.isTyping ? "_" : "")" : nil
    page.above = [notice, search].compactMap { $0.map { TextWidth.cut($0, to: width) } }
    page.emptiness =
      list.typed.text.isEmpty
      ? "no samples yet; metafleet explain NAME says why a board sends none" : "nothing with that name sends"
    let keys = LiveBoard.Order.allCases.map {
      $0 == order ? "\($0.rawValue) [\($0.word)]" : "\($0.rawValue) \($0.word)"
    }
    page.keys = "q quit  / find  sort: \(keys.joined(separator: "  "))  R reverse  ↑↓ scroll"
    return page.lines(&list.position)
  }
}
