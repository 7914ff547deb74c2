/// How a board gave what a session of the archive holds.
public enum SessionKind: String, Sendable, CaseIterable {
  /// It logged it to its flash.
  case log
  /// It streamed it.
  case stream
}

/// Which sessions of the archive somebody wants deleted (MQTT contract 4.1).
public struct SessionDeletionRequest: Hashable, Sendable {
  /// Identifiers of sessions, or beginnings of them that only one has.
  public var sessions: [String]
  /// Boards all of whose sessions are meant.
  public var boards: [BoardID]
  /// Whether every session there is is meant.
  public var isForAll: Bool
  /// Of what kind; nil is both.
  public var kind: SessionKind?
  /// Only sessions that began before; nil is any.
  public var before: Timestamp?
  /// Whether also what the broker does not have yet.
  public var undelivered: Bool
  /// Whether only to tell what would be deleted.
  public var isPreview: Bool

  /// Wants these sessions deleted.
  public init(
    sessions: [String] = [], boards: [BoardID] = [], isForAll: Bool = false, kind: SessionKind? = nil,
    before: Timestamp? = nil, undelivered: Bool = false, isPreview: Bool = false
  ) {
    (self.sessions, self.boards, self.isForAll) = (sessions, boards, isForAll)
    (self.kind, self.before, self.undelivered, self.isPreview) = (kind, before, undelivered, isPreview)
  }
}
