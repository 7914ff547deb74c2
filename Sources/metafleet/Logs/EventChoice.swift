import FleetModel
import Storage

/// Which events the words on the command line mean, by what the archive and the configuration file know.
struct EventChoice: Sendable {
  /// Names of boards: of the configuration file, and of boards that were admitted by a command.
  var names: [BoardID: String]
  /// Adapters that events are about.
  var adapters: [String] = []

  /// The kinds that there are.
  static let kinds = EventKind.allCases.map(\.rawValue).sorted() + [HistoryEntry.command]

  func callAsFunction(
    board: String?, adapter: String?, isOfGateway: Bool, kinds: [String]
  ) throws(CommandLineFailure) -> EventHistory.Choice {
    var choice = EventHistory.Choice()
    choice.isOfGateway = isOfGateway
    if let board { choice.board = try id(of: board) }
    if let adapter { choice.adapter = try self.adapter(adapter) }
    for kind in kinds where !Self.kinds.contains(kind) {
      throw CommandLineFailure(.usage, Suggestion.missing("type of event", kind, among: Self.kinds))
    }
    choice.kinds = kinds
    return choice
  }

  /// A board by its id, its name, or a beginning of it that no other has.
  private func id(of text: String) throws(CommandLineFailure) -> BoardID {
    if let id = BoardID(text) { return id }
    let named = names.filter { $0.value == text }
    let found = named.isEmpty ? names.filter { $0.value.hasPrefix(text) } : named
    if let board = found.first?.key, found.count == 1 { return board }
    guard found.isEmpty else {
      let ids = found.keys.sorted().map { "\($0)" }.joined(separator: ", ")
      throw CommandLineFailure(.usage, "\(quoted(text)) may be each of \(ids); give the id")
    }
    throw CommandLineFailure(
      .usage,
      Suggestion.missing("board", text, among: names.values.sorted())
        + "; a board that is in neither list is found by its id, twelve hexadecimal digits")
  }

  private func adapter(_ text: String) throws(CommandLineFailure) -> String {
    let id = AdapterID(text).map { "\($0)" } ?? text
    guard adapters.contains(id) else {
      throw CommandLineFailure(.usage, Suggestion.missing("adapter with events", text, among: adapters))
    }
    return id
  }
}
