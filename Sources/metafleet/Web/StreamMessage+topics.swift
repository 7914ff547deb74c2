import Dialects
import FleetModel
import Web

extension StreamMessage {
  /// What was published, to whoever watches; nil of what is for others.
  init?(_ message: MQTTMessage, in topics: TopicTree) {
    guard let (topic, watched) = topics.watched(message) else { return nil }
    let kind: Kind =
      switch watched {
      case .document: .document
      case .event: .event
      case .reply: .reply
      case .live(let board): .live(board)
      }
    self.init(kind, topic: topic, payload: message.payload)
  }
}
