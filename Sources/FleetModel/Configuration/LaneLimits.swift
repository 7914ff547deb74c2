/// Bounds of the live and record lanes.
public struct LaneLimits: Hashable, Sendable {
  /// Samples per second of a board's stream on the live lane.
  public var liveRate = 10.0
  /// Samples in a record batch.
  public var maximumSamples = 500
  /// Stream time in a record batch.
  public var maximumSpan = Duration.milliseconds(250)

  /// All defaults.
  public init() {}
}
