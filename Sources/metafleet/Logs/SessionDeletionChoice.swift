import Dialects
import FleetModel

/// Which sessions words on the command line want deleted: sessions by id or its beginning, boards by id or name. Pure.
struct SessionDeletionChoice: Sendable {
  var words: [String]
  var isForAll: Bool
  var kind: SessionKind?
  var before: Timestamp?
  var undelivered = false

  /// What is wrong with the words; nil where nothing is.
  var fault: String? {
    if isForAll, !words.isEmpty { return "Name sessions or boards, or write --all." }
    return !isForAll && words.isEmpty
      ? "Name sessions or boards, as metafleet sessions shows them, or write --all." : nil
  }

  /// The first board that is named, whose gateway is meant.
  func board(in fleet: FleetView) throws(CommandLineFailure) -> BoardID? {
    for word in words where Self.sessionID(word, in: fleet) == nil {
      return try TargetResolution(fleet: fleet).board(word)
    }
    return nil
  }

  /// The arguments of the verb, but for its confirmation.
  func arguments(in fleet: FleetView) throws(CommandLineFailure) -> JSONObject {
    var (sessions, boards): ([JSONValue], [JSONValue]) = ([], [])
    for word in words {
      if let session = Self.sessionID(word, in: fleet) {
        sessions.append(.string(session))
      } else {
        boards.append(.string(try TargetResolution(fleet: fleet).board(word).description))
      }
    }
    var arguments: JSONObject = [:]
    if !sessions.isEmpty { arguments["sessions"] = .array(sessions) }
    if !boards.isEmpty { arguments["boards"] = .array(boards) }
    if isForAll { arguments["all"] = true }
    arguments["kind"] = kind.map { .string($0.rawValue) }
    arguments["before_ms"] = before.map { .integer(max(0, $0.milliseconds)) }
    if undelivered { arguments["undelivered"] = true }
    return arguments
  }

  /// The word as a session's id or its beginning; nil where it can only be a board's.
  private static func sessionID(_ word: String, in fleet: FleetView) -> String? {
    guard BoardID(word) == nil, !fleet.boards.values.contains(where: { $0.name == word }) else { return nil }
    let id = word.uppercased()
    // Ids of these decades begin with 0, and nobody shows less than ten characters of one.
    let isID =
      (10...26).contains(id.count) && id.first == "0"
      && id.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) && !"ILOU".contains($0) }
    return isID ? id : nil
  }
}
