/// Which commands are taken, and how many at once.
public struct CommandLimits: Hashable, Sendable {
  /// Commands waiting for one board.
  public var queuePerBoard = 32
  /// Commands waiting for all boards of one adapter.
  public var queuePerAdapter = 256
  /// Commands that one target may get in a minute.
  public var perMinute = 600
  /// Who may do what.
  public var permissions = CommandPermissions()
  /// Where answers may go besides the verb's reply topic.
  public var responseTopics = ResponseTopics.any

  /// All defaults.
  public init() {}
}

/// As the section `commands` of the file says it.
extension CommandLimits {
  /// Reads checked keys; what is missing has its default.
  init(document: JSONObject) {
    queuePerBoard = document["queue_per_board"]?.integer.map { Int($0) } ?? queuePerBoard
    queuePerAdapter = document["queue_per_adapter"]?.integer.map { Int($0) } ?? queuePerAdapter
    perMinute = document["per_min"]?.integer.map { Int($0) } ?? perMinute
    responseTopics = document["response_topics"].map { ResponseTopics(document: $0) } ?? responseTopics
    if let rules = document["allow"]?.array {
      permissions = CommandPermissions(
        rules.compactMap(\.object).map { CommandPermissions.Rule(document: $0) })
    }
  }

  /// Its keys.
  var document: JSONObject {
    [
      "queue_per_board": .integer(Int64(queuePerBoard)),
      "queue_per_adapter": .integer(Int64(queuePerAdapter)), "per_min": .integer(Int64(perMinute)),
      "response_topics": responseTopics.document,
      "allow": .array(permissions.rules.map { .object($0.document) }),
    ]
  }
}
