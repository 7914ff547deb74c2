import Dialects
package import FleetModel

/// Which streams of a board live samples came of while somebody listened. What lasts is in documents.
package struct ReceivedTraffic: Sendable {
  /// For how long.
  package var span: Duration
  /// Streams of which a live sample came.
  package private(set) var streams: Set<String> = []

  package init(span: Duration) { self.span = span }

  /// What to subscribe to.
  package static func filters(base: String, board: BoardID) -> [String] { ["\(base)/board/\(board)/live/+"] }

  /// Takes a message in.
  package mutating func received(_ message: MQTTMessage) {
    if let sample = EventDocument(message.payload), sample[.kind] == nil, let stream = sample[.stream] {
      streams.insert(stream)
    }
  }
}
