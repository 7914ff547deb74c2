/// Whom a command addresses.
public enum CommandTarget: Hashable, Sendable {
  case board(BoardID)
  case group(String)
  case gateway(String)
}

/// One wish that arrived, understood and checked, with what is needed to answer it.
public struct CommandRequest: Hashable, Sendable {
  /// Whether it is for now or for the next contact.
  public enum Mode: String, Sendable { case now, queue }

  /// The sender's identifier, or one of ours where it gave none.
  public var id: String
  /// Whether the sender gave the identifier, so that a repeat can be recognised.
  public var hasSenderID: Bool
  /// Whom it addresses.
  public var target: CommandTarget
  /// The verb as in the topic.
  public var verb: String
  /// What it means.
  public var intent: Intent
  /// Now or at the next contact.
  public var mode: Mode
  /// Until when the work may begin.
  public var expires: Timestamp
  /// When it arrived.
  public var arrived: Timestamp
  /// Hash of the payload, to tell a repeat from another request under the same identifier.
  public var payloadHash: UInt64
  /// MQTT 5 response topic and correlation data.
  public var responseTopic: String?
  /// Echoed with replies on the response topic.
  public var correlationData: [UInt8]

  /// Takes a request's parts.
  public init(
    id: String, hasSenderID: Bool, target: CommandTarget, verb: String, intent: Intent, mode: Mode,
    expires: Timestamp, arrived: Timestamp, payloadHash: UInt64, responseTopic: String?,
    correlationData: [UInt8]
  ) {
    self.id = id
    self.hasSenderID = hasSenderID
    self.target = target
    self.verb = verb
    self.intent = intent
    self.mode = mode
    self.expires = expires
    self.arrived = arrived
    self.payloadHash = payloadHash
    self.responseTopic = responseTopic
    self.correlationData = correlationData
  }
}
