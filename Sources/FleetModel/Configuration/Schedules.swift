/// Things done on a schedule.
public struct Schedules: Hashable, Sendable {
  /// Battery polls of connected boards.
  public var battery = ScheduleRule.every(.seconds(900))
  /// Readings of log clocks of connected boards.
  public var clock = ScheduleRule.every(.seconds(900))

  /// All defaults.
  public init() {}
}
