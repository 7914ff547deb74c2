/// A board is being worked on: alarms are quiet, and what is recorded goes on as ever.
public struct Maintenance: Hashable, Sendable {
  /// When it ends by itself.
  public var until: Timestamp
  /// Why, in the words of who ordered it.
  public var reason: String?
  /// Who ordered it, as that sender says.
  public var who: String?

  /// Describes one.
  public init(until: Timestamp, reason: String? = nil, who: String? = nil) {
    (self.until, self.reason, self.who) = (until, reason, who)
  }
}
