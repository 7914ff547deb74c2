import Dialects
import FleetModel

/// Finds whom somebody means: a board by id, name or unique prefix, a group, a gateway (MQTT contract 8).
struct TargetResolution: Sendable {
  let fleet: FleetView

  private static let listed = 8

  /// The one target a text means; a usage failure that says what else there is.
  func resolve(_ text: String) throws(CommandLineFailure) -> CommandTarget {
    if let name = text.dropping(prefix: "group:") { return .group(try group(name)) }
    if let name = text.dropping(prefix: "gateway:") { return .gateway(try gateway(name)) }
    // A whole id is clear, whether or not its board is known here: the gateways decide.
    if let id = BoardID(text) { return .board(id) }
    let named = fleet.sorted.filter { $0.name == text }
    let isGroup = text == "all" || fleet.groups.contains(text)
    if isGroup, let board = named.first {
      throw CommandLineFailure(
        .usage, "\(quoted(text)) is both a board and a group; write \(board.id) or group:\(text)")
    }
    if isGroup { return .group(text) }
    return .board(try board(text))
  }

  /// The one board a text means.
  func board(_ text: String) throws(CommandLineFailure) -> BoardID {
    if let id = BoardID(text) { return id }
    if let kind = ["group", "gateway"].first(where: { text.hasPrefix("\($0):") }) {
      throw CommandLineFailure(.usage, "\(quoted(text)) is a \(kind); name one board: \(listing)")
    }
    let named = fleet.sorted.filter { $0.name == text }
    let found = named.isEmpty ? beginning(with: text) : named
    if let board = found.first, found.count == 1 { return board.id }
    guard found.isEmpty else {
      throw CommandLineFailure(
        .usage, "\(quoted(text)) matches \(list(found)); write more of the name, or use the id")
    }
    throw CommandLineFailure(.usage, "there is no board \(quoted(text)); \(advice(for: text))")
  }

  private func beginning(with text: String) -> [FleetView.Board] {
    let prefix = text.lowercased()
    guard !prefix.isEmpty else { return [] }
    let bare = prefix.filter { $0 != ":" }
    return fleet.sorted.filter { board in
      board.name.lowercased().hasPrefix(prefix) || !bare.isEmpty && board.id.description.hasPrefix(bare)
    }
  }

  private func advice(for text: String) -> String {
    let words = fleet.boards.values.map(\.name) + fleet.groups
    if let near = Suggestion.nearest(to: text, in: words) { return "did you mean \(quoted(near))?" }
    return listing
  }

  private var listing: String {
    let boards = fleet.sorted
    guard !boards.isEmpty else {
      return fleet.gateways.isEmpty
        ? "no gateway has spoken on this broker yet; start one: metafleet run; \(BrokerExplanation.silence)"
        : "none is admitted; metafleet scan shows what is in range"
    }
    return boards.count > Self.listed ? "metafleet boards lists them" : "there are \(list(boards))"
  }

  private func list(_ boards: [FleetView.Board]) -> String {
    let shown = boards.prefix(Self.listed).map { "\(quoted($0.name)) (\($0.id))" }.joined(separator: ", ")
    return boards.count > Self.listed ? "\(shown) and \(boards.count - Self.listed) more" : shown
  }

  private func group(_ name: String) throws(CommandLineFailure) -> String {
    if name == "all" || fleet.groups.contains(name) { return name }
    throw CommandLineFailure(
      .usage, "there is no group \(quoted(name)); \(among(fleet.groups + ["all"], name))")
  }

  private func gateway(_ name: String) throws(CommandLineFailure) -> String {
    let names = fleet.gateways.keys.sorted()
    if names.contains(name) { return name }
    throw CommandLineFailure(.usage, "there is no gateway \(quoted(name)); \(among(names, name))")
  }

  private func among(_ names: [String], _ name: String) -> String {
    names.isEmpty
      ? fleet.gateways.isEmpty
        ? "there are none on this broker, \(BrokerExplanation.silence)" : "there are none on this broker"
      : printable(Suggestion.advice(for: name, among: names))
  }
}

extension String {
  /// What follows `prefix`; nil when the text does not begin with it.
  fileprivate func dropping(prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}
