/// Which delivered messages are to be published again (MQTT contract 4.1).
public struct ReplayRequest: Hashable, Sendable {
  /// A lane whose messages can be had again.
  public enum Lane: String, Sendable, CaseIterable { case record, log, lp, cbor, event }

  /// Where the stretch begins.
  public var from: Timestamp
  /// Where it ends; nil is now.
  public var to: Timestamp?
  /// Of which boards; nil is all.
  public var boards: [BoardID]?
  /// Of which lanes; nil is all.
  public var lanes: Set<Lane>?
  /// Messages a second, 1–5000.
  public var rate: Int

  /// Wants what was published from `from` on.
  public init(
    from: Timestamp, to: Timestamp? = nil, boards: [BoardID]? = nil, lanes: Set<Lane>? = nil, rate: Int = 500
  ) {
    (self.from, self.to, self.boards, self.lanes, self.rate) = (from, to, boards, lanes, rate)
  }

  /// Whether messages of that lane are wanted, of `board` or of the gateway itself.
  public func wants(_ lane: Lane, of board: BoardID?) -> Bool {
    guard lanes?.contains(lane) ?? true else { return false }
    guard let boards else { return true }
    return board.map(boards.contains) ?? false
  }

  /// When the wanted messages were made; empty when the stretch begins in the future.
  public func period(until now: Timestamp) -> Range<Timestamp> {
    let end = to ?? now
    return min(from, end)..<end
  }
}
