package import FleetModel

/// What was published, for who watches a gateway: the messages of the MQTT contract, carried by HTTP.
package struct StreamMessage: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// A retained document; without bytes it was removed.
    case document
    case event
    case reply
    /// A live sample, for those who asked for this board's.
    case live(BoardID)
  }

  package var kind: Kind
  /// Below the base topic.
  package var topic: String
  /// JSON.
  package var payload: [UInt8]

  package init(_ kind: Kind, topic: String, payload: [UInt8]) {
    (self.kind, self.topic, self.payload) = (kind, topic, payload)
  }

  /// Whether a later one of the topic says all that this one does.
  var isReplaced: Bool {
    switch kind {
    case .document, .live: true
    case .event, .reply: false
    }
  }

  /// As an event stream has it.
  var frame: [UInt8] {
    let name =
      switch kind {
      case .document: "document"
      case .event: "event"
      case .reply: "reply"
      case .live: "live"
      }
    var writer = JSONWriter(reserving: payload.count + 2 * topic.utf8.count + 64)
    writer.raw("{\"topic\":")
    writer.write(.string(topic))
    writer.raw(",\"payload\":")
    // What is no single line would be the end of the event.
    let isWhole = !payload.isEmpty && !payload.contains { $0 == 0x0A || $0 == 0x0D }
    return Array("event: \(name)\ndata: ".utf8) + writer.take() + (isWhole ? payload : Array("null".utf8))
      + Array("}\n\n".utf8)
  }
}
