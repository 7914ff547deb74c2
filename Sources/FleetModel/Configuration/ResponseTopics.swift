/// Where answers may go besides the verb's reply topic: a sender names a topic, and the gateway publishes there with
/// its own rights (fault F85).
public enum ResponseTopics: Hashable, Sendable {
  /// Anywhere but where gateways speak or are commanded.
  case any
  /// Nowhere.
  case none
  /// On topics that begin with one of these levels, and nowhere else.
  case below([String])

  /// Whether an answer may go to `topic`.
  public func permits(_ topic: String) -> Bool {
    switch self {
    case .any: true
    case .none: false
    case .below(let levels): levels.contains { topic == $0 || topic.hasPrefix($0 + "/") }
    }
  }
}

/// As the key `commands.response_topics` says it.
extension ResponseTopics {
  /// Reads a checked value.
  init(document: JSONValue) {
    if let levels = document.array {
      self = .below(levels.compactMap(\.string))
    } else {
      self = document == "none" ? .none : .any
    }
  }

  /// Its value.
  var document: JSONValue {
    switch self {
    case .any: "any"
    case .none: "none"
    case .below(let levels): .array(levels.map { .string($0) })
    }
  }
}
