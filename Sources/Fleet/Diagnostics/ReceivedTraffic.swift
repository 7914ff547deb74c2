package import Dialects
package import FleetModel

/// What came from a board, and from its gateway, while somebody listened.
package struct ReceivedTraffic: Sendable {
  /// For how long.
  package var span: Duration
  /// Streams of which a live sample came.
  package private(set) var streams: Set<String> = []
  /// Kinds of events with the newest of each.
  package private(set) var events: [EventKind: EventDocument] = [:]

  package init(span: Duration) { self.span = span }

  /// What to subscribe to.
  package static func filters(base: String, board: BoardID, gateway: String?) -> [String] {
    ["live", "event"].map { "\(base)/board/\(board)/\($0)/+" }
      + (gateway.map { ["\(base)/gateway/\($0)/event/+"] } ?? [])
  }

  /// Takes a message in.
  package mutating func received(_ message: MQTTMessage) {
    guard let event = EventDocument(message.payload) else { return }
    if let kind = event[.kind] {
      events[kind] = event
    } else if let stream = event[.stream] {
      streams.insert(stream)
    }
  }
}
