/// A session of a stream that goes on: where a gateway that was killed left off.
public struct OpenStream: Hashable, Sendable {
  /// Whose stream.
  public var board: BoardID
  /// Stream name in the topic.
  public var stream: String
  /// The uninterrupted run of samples.
  public var session: ULID
  /// Stamp of the last sample that is kept; while none is, of the last one of the session before.
  public var last: Timestamp
  /// How many samples behind that one were told as missing, before anything of this session was kept.
  public var told: Int

  /// States a session and where it stands.
  public init(board: BoardID, stream: String, session: ULID, last: Timestamp, told: Int = 0) {
    self.board = board
    self.stream = stream
    self.session = session
    self.last = last
    self.told = told
  }

  /// Where a session stands with a batch; nil for what was logged, and without samples.
  public init?(_ batch: SampleBatch) {
    guard batch.origin == .stream, let last = batch.times.last else { return nil }
    self.init(board: batch.board, stream: batch.stream, session: batch.session, last: last)
  }
}

/// What becomes of sessions of streams, stored so that a gateway that is killed knows afterwards what it had.
public enum StreamCheckpoint: Hashable, Sendable {
  /// The first sample of a session came.
  case began(OpenStream)
  /// A session is over with nothing missing behind it, or what is missing behind it is published, by an event that is
  /// delivered together with this.
  case ended(ULID)
}
