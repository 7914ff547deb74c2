package import FleetModel

/// A message a dialect made, and how it is to be delivered.
package struct OutgoingMessage: Hashable, Sendable {
  package var message: MQTTMessage
  /// nil: at most once, not worth keeping.
  package var deliveryClass: DeliveryClass?
  /// How many samples it carries.
  package var samples: Int
  /// What the history keeps of it; nil of what is no event.
  package var history: HistoryEntry?

  package init(_ message: MQTTMessage, _ deliveryClass: DeliveryClass?, samples: Int = 0) {
    self.message = message
    self.deliveryClass = deliveryClass
    self.samples = samples
  }
}

/// What a message on one of our subscriptions means.
package enum IncomingMessage: Sendable {
  case command(CommandTarget, verb: String, IncomingCommand)
  /// A retained document of a board, as the broker keeps it; empty when it was removed.
  case boardDocument(BoardID, topic: String, payload: [UInt8], isRetained: Bool)
  /// Our own availability as the broker tells it; `birth` is nil when the payload is not ours.
  case ownAvailability(isOnline: Bool, birth: Int?)
  /// Another gateway's retained availability: there is, or was, one.
  case otherGateway(String)
  /// None of ours.
  case unknown
}

/// How a gateway speaks on one broker session. A value: it decides what to say, the uplink says it.
package protocol Dialect: Sendable {
  /// Content type of what it writes.
  var contentType: String { get }
  /// The message the broker sends when we vanish, belonging to the connection of this birth.
  func will(birth: Int) -> MQTTMessage
  /// What to say first on a connection.
  func birth(_ birth: Int, at time: Timestamp, reason: String) -> OutgoingMessage
  /// What to say last on a clean stop.
  func offlineMessage(birth: Int, at time: Timestamp) -> OutgoingMessage
  /// What to hear all the time.
  var subscriptions: [Subscription] { get }
  /// What to hear once after connecting, to compare the broker's retained documents with ours.
  var retainedFilters: [String] { get }
  /// What earlier runs may have left, by the topics that they have published.
  func earlierDocuments(published: some Sequence<String>) -> EarlierDocuments
  /// The retained documents that say whose a board is.
  func identityTopics(of board: BoardID) -> [String]
  /// The retained documents that say which gateways there are.
  var gatewayFilters: [String] { get }
  /// The messages an event is published as.
  func messages(for event: FleetEvent) -> [OutgoingMessage]
  /// A retained document for a broker that takes packets of so many bytes at most; nil where it fits as it is, or has
  /// nothing to spare.
  func shortened(_ message: OutgoingMessage, to size: Int) -> OutgoingMessage?
  /// What the history keeps of a command's final answer; nil for any other answer.
  func history(of reply: CommandReply) -> HistoryEntry?
  /// The board and stream whose samples travel on a topic; nil for other topics.
  func source(of topic: String) -> (board: BoardID, stream: String)?
  /// The lane that a topic belongs to, and the board it tells of; nil for topics that nobody replays.
  func origin(of topic: String) -> (lane: ReplayRequest.Lane, board: BoardID?)?
  /// What a message means.
  func read(_ message: MQTTMessage, arrived: Timestamp, freshID: () -> String) -> IncomingMessage
}
