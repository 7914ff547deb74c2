/// Two points in time between which something happened: all that is known, and no more.
public struct TimeBounds: Hashable, Sendable {
  /// Not before.
  public var earliest: Timestamp
  /// Not after.
  public var latest: Timestamp

  /// Takes bounds; turned round, nothing lies between them.
  public init(_ earliest: Timestamp, _ latest: Timestamp) {
    (self.earliest, self.latest) = (earliest, latest)
  }

  /// The best guess.
  public var middle: Timestamp {
    Timestamp(nanoseconds: earliest.nanoseconds &+ (latest.nanoseconds &- earliest.nanoseconds) / 2)
  }

  /// How far the best guess can be off.
  public var error: Duration { .nanoseconds((latest.nanoseconds &- earliest.nanoseconds) / 2) }

  /// Whether any time is left.
  public var isEmpty: Bool { earliest > latest }

  /// What both allow.
  public func intersection(_ other: TimeBounds) -> TimeBounds {
    TimeBounds(max(earliest, other.earliest), min(latest, other.latest))
  }
}
