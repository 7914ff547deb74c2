import FleetModel
import Storage

/// Which sessions of the archive words on the command line mean: a session's id or its beginning, a board's id or its
/// beginning, or a board's name.
struct SessionChoice<Session: NamedSession>: Sendable {
  var sessions: [Session]
  /// Names of the configuration file.
  var names: [BoardID: String]

  /// The sessions of all words, each once, in their order; all of them for no words.
  func callAsFunction(_ words: [String]) throws(CommandLineFailure) -> [Session] {
    if words.isEmpty { return sessions }
    var chosen: Set<ULID> = []
    for word in words { chosen.formUnion(try matches(of: word).map(\.id)) }
    return sessions.filter { chosen.contains($0.id) }
  }

  private func matches(of word: String) throws(CommandLineFailure) -> [Session] {
    let named = names.filter { $0.value == word }.map(\.key)
    if let board = BoardID(word) ?? named.first {
      let found = sessions.filter { $0.board == board }
      if !found.isEmpty { return found }
      throw CommandLineFailure(
        .usage, "\(printable(word)) has no sessions here; metafleet sessions lists them")
    }
    let byID = sessions.filter { $0.id.description.hasPrefix(word.uppercased()) }
    let boards = Set(sessions.map(\.board)).filter { $0.description.hasPrefix(word.lowercased()) }
    if byID.count == 1, boards.isEmpty { return byID }
    if byID.isEmpty, let board = boards.first, boards.count == 1 {
      return sessions.filter { $0.board == board }
    }
    if byID.isEmpty, boards.isEmpty {
      throw CommandLineFailure(
        .usage,
        "no session and no board with sessions is called \(printable(word)); metafleet sessions lists them")
    }
    throw CommandLineFailure(
      .usage,
      "\(printable(word)) is the beginning of several names; write more of it, as metafleet sessions shows it"
    )
  }
}
