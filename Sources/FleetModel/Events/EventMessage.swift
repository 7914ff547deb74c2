/// Whom a document or an event is about.
public enum Subject: Hashable, Sendable {
  case board(BoardID)
  case gateway
}

/// Something that happened, as the event topics tell it (MQTT contract 5).
public struct EventMessage: Hashable, Sendable {
  /// Whom it happened to.
  public var subject: Subject
  /// Kind and type, from the catalogue.
  public var kind: EventKind
  /// One of the kind's types.
  public var type: String
  /// Further fields of the kind.
  public var fields: JSONObject
  /// One sentence for people.
  public var message: String?
  /// The same identifier means the same event.
  public var id: ULID
  /// When it happened.
  public var time: Timestamp

  /// Tells what happened. `type` must be one that the catalogue lists for `kind`.
  public init(
    _ kind: EventKind, _ type: String, subject: Subject, fields: JSONObject = JSONObject(),
    message: String? = nil,
    id: ULID, time: Timestamp
  ) {
    self.subject = subject
    self.kind = kind
    self.type = type
    self.fields = fields
    self.message = message
    self.id = id
    self.time = time
  }

  /// Tells what happened at `time`, under a fresh identifier.
  public init(
    _ kind: EventKind, _ type: String, of subject: Subject, fields: JSONObject = JSONObject(),
    message: String? = nil, at time: Timestamp, using random: inout SeededGenerator
  ) {
    self.init(
      kind, type, subject: subject, fields: fields, message: message, id: ULID(at: time, using: &random),
      time: time)
  }
}
