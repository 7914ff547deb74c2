package import FleetModel

/// What a published message is to whoever watches a gateway.
package enum WatchedTopic: Hashable, Sendable {
  /// A retained document.
  case document
  case event
  case reply
  /// A live sample of a board.
  case live(BoardID)
}

extension TopicTree {
  /// What a message is to whoever watches, and its topic below the base; nil of what is for others: records, logs, and
  /// what lies elsewhere.
  package func watched(_ message: MQTTMessage) -> (topic: String, kind: WatchedTopic)? {
    guard isOurs(message.topic) else { return nil }
    let topic = String(message.topic.dropFirst(base.count + 1))
    if message.isRetained { return (topic, .document) }
    let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
    guard levels.count == 4 else { return nil }
    switch levels[2] {
    case "event": return (topic, .event)
    case "reply": return (topic, .reply)
    case "live": return BoardID(levels[1]).map { (topic, .live($0)) }
    default: return nil
    }
  }
}
