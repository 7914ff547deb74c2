/// Which verbs this gateway takes for which boards (`commands.allow`, MQTT contract 7.3).
public struct CommandPermissions: Hashable, Sendable {
  /// One rule: what it names is allowed. An absent list means all.
  public struct Rule: Hashable, Sendable {
    /// Names of verbs; `*` is all but `raw`.
    public var verbs: [String]?
    /// Names of groups, any of which the board is in; `*` is all.
    public var groups: [String]?
    /// Identifiers of boards; `*` is all.
    public var boards: [String]?

    /// Allows what is given.
    public init(verbs: [String]? = nil, groups: [String]? = nil, boards: [String]? = nil) {
      (self.verbs, self.groups, self.boards) = (verbs, groups, boards)
    }

    func allows(_ verb: String, on board: BoardID?, in groups: [String]) -> Bool {
      guard Self.names(verbs, verb, exceptInGeneral: CommandPermissions.named) else { return false }
      let boardIsNamed = self.boards == nil || board.map { Self.names(boards, $0.description) } ?? false
      let groupIsNamed =
        self.groups == nil || self.groups?.contains("*") == true
        || groups.contains { self.groups?.contains($0) == true }
      return boardIsNamed && groupIsNamed
    }

    private static func names(
      _ list: [String]?, _ name: String, exceptInGeneral excepted: Set<String> = []
    ) -> Bool {
      if list?.contains(name) == true { return true }
      return (list == nil || list?.contains("*") == true) && !excepted.contains(name)
    }
  }

  /// Verbs that must be named to be allowed.
  static let named: Set<String> = ["raw"]

  /// Any one that fits allows.
  public var rules: [Rule]

  /// All verbs but `raw` for all boards.
  public init(_ rules: [Rule] = [Rule(verbs: ["*"])]) { self.rules = rules }

  /// Whether `verb` may be used on `board`, which is in `groups`; on the gateway itself where there is no board.
  public func allows(_ verb: String, on board: BoardID? = nil, in groups: [String] = []) -> Bool {
    rules.contains { $0.allows(verb, on: board, in: groups) }
  }

  /// The verbs that may be used on `board`, sorted.
  public func verbs(on board: BoardID, in groups: [String]) -> [String] {
    VerbCatalogue.names(for: .board).filter { allows($0, on: board, in: groups) }
  }

  /// Throws `denied` unless the verb, and every action in its arguments, is allowed: what a board is ordered to do
  /// later needs the same permission as doing it now (MQTT contract 3.6).
  public func check(_ request: CommandRequest, in groups: [String]) throws(CommandFailure) {
    let board: BoardID? = if case .board(let board) = request.target { board } else { nil }
    for verb in request.verbs {
      guard allows(verb, on: board, in: groups) else {
        let shown = verb.unicodeScalars.prefix(40).map { $0.escaped(asASCII: true) }.joined()
        throw CommandFailure(.denied, "\(shown) is not allowed on this gateway")
      }
    }
  }
}

extension CommandRequest {
  /// The verb, and those of all actions, and of all commands of a batch, in its arguments.
  public var verbs: [String] {
    [verb] + ActionParsing.verbs(in: arguments["action"]) + commandsOfBatch.flatMap(\.verbs)
  }
}

/// As an element of `commands.allow` says it.
extension CommandPermissions.Rule {
  /// Reads checked keys; a missing list means all.
  init(document: JSONObject) {
    func names(_ key: String) -> [String]? { document[key]?.array?.compactMap(\.string) }
    self.init(verbs: names("verbs"), groups: names("groups"), boards: names("boards"))
  }

  /// Its keys.
  var document: JSONObject {
    var document = JSONObject()
    for (key, names) in [("verbs", verbs), ("groups", groups), ("boards", boards)] {
      document[key] = names.map { .array($0.map { .string($0) }) }
    }
    return document
  }
}
