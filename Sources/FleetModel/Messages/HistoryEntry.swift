/// What the history keeps of an event, or of the end of a command: where it belongs, and its document.
package struct HistoryEntry: Hashable, Sendable {
  /// The kind of ends of commands, which are no events of their own on the broker.
  package static let command = "command"

  /// When it happened.
  package var time: Timestamp
  /// The kind of the event as its topic has it, or `command`.
  package var kind: String
  /// Whether it is the gateway's, or a group's, rather than a board's.
  package var isOfGateway: Bool
  /// The board it is about, also where the gateway publishes it.
  package var board: BoardID?
  /// The adapter it is about, as topics have it.
  package var adapter: String?
  /// A JSON object: of an event what was published.
  package var document: [UInt8]

  package init(
    time: Timestamp, kind: String, isOfGateway: Bool, board: BoardID? = nil, adapter: String? = nil,
    document: [UInt8]
  ) {
    self.time = time
    self.kind = kind
    self.isOfGateway = isOfGateway
    self.board = board
    self.adapter = adapter
    self.document = document
  }
}
