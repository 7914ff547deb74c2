/// Boards that wait for a connection slot of an adapter.
public struct ConnectionQueue: Hashable, Sendable {
  /// One board that waits.
  public struct Request: Hashable, Sendable {
    /// Which board.
    public var board: BoardID
    /// What the connection is for: `command`, `download`, `stream` or `poll`.
    public var purpose: String
    /// When it began to wait.
    public var since: Timestamp

    /// Describes a board that waits.
    public init(board: BoardID, purpose: String, since: Timestamp) {
      (self.board, self.purpose, self.since) = (board, purpose, since)
    }
  }

  /// At most so many are listed, the longest waiting first.
  public static let greatestCount = 20

  /// How many boards wait for any adapter of the gateway.
  public var waiting: Int
  /// Those that this adapter received lately, or that are pinned to it.
  public var requests: [Request]

  /// Describes a queue; of `requests` the first `greatestCount` are kept.
  public init(waiting: Int = 0, requests: [Request] = []) {
    self.waiting = waiting
    self.requests = Array(requests.prefix(Self.greatestCount))
  }
}
