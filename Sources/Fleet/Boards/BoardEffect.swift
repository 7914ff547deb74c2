import FleetModel

/// What follows from something that a board's values took note of. Its supervisor does it, in the order given.
enum BoardEffect: Hashable, Sendable {
  /// The board's memory goes to disk.
  case remember
  /// An event of the board is published.
  case publish(EventDraft)
  /// The session, if there is one, gets what is desired by now of some sections.
  case order(Set<SetupPart>)
}

/// An event of a board before it has an identifier.
struct EventDraft: Hashable, Sendable {
  var kind: EventKind
  /// One of the kind's types.
  var type: String
  var fields = JSONObject()
  /// One sentence for people.
  var message: String?
  /// When it happened; nil = just now.
  var time: Timestamp?

  init(
    _ kind: EventKind, _ type: String, fields: JSONObject = JSONObject(), message: String? = nil,
    at time: Timestamp? = nil
  ) {
    (self.kind, self.type, self.fields) = (kind, type, fields)
    (self.message, self.time) = (message, time)
  }
}
