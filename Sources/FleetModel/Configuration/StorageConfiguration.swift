/// Where and how long things are kept.
public struct StorageConfiguration: Hashable, Sendable {
  /// nil = by environment.
  public var directory: String?
  /// Bytes of free space below which streams are no longer spooled.
  public var minimumFree: Int64 = 200_000_000
  /// Bytes and age of the outbox beyond which the oldest records become gaps.
  public var outboxMaximumSize: Int64 = 1_000_000_000
  /// Age of the outbox beyond which the oldest records become gaps.
  public var outboxMaximumAge = Duration.seconds(7 * 86_400)
  /// Messages per second while catching up.
  public var drainPerSecond = 500
  /// How long delivered messages stay replayable.
  public var replay = Duration.seconds(86_400)

  /// How long the delivered archive of logs is kept.
  public var retain = Duration.seconds(30 * 86_400)
  /// Bytes of the delivered archive of logs beyond which its oldest part goes.
  public var maximumSize: Int64 = 2_000_000_000

  /// All defaults.
  public init() {}
}
