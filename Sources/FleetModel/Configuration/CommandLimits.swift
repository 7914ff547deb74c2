/// Bounds of command queues.
public struct CommandLimits: Hashable, Sendable {
  /// Commands waiting for one board.
  public var queuePerBoard = 32
  /// Commands waiting for all boards of one adapter.
  public var queuePerAdapter = 256

  /// All defaults.
  public init() {}
}
