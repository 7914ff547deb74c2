/// Which commands are taken, and how many at once.
public struct CommandLimits: Hashable, Sendable {
  /// Commands waiting for one board.
  public var queuePerBoard = 32
  /// Commands waiting for all boards of one adapter.
  public var queuePerAdapter = 256
  /// Commands that one target may get in a minute.
  public var perMinute = 600
  /// Who may do what.
  public var permissions = CommandPermissions()

  /// All defaults.
  public init() {}
}
