/// Things done on a schedule.
public struct Schedules: Hashable, Sendable {
  /// Battery polls of connected boards.
  public var battery = ScheduleRule.every(.seconds(900))
  /// Readings of log clocks of connected boards.
  public var clock = ScheduleRule.every(.seconds(900))

  /// All defaults.
  public init() {}
}

/// As the section `schedules` of the file says it.
extension Schedules {
  /// Reads checked keys; what is missing has its default.
  init(document: JSONObject) {
    battery = document["battery"].flatMap { ScheduleRule(document: $0) } ?? battery
    clock = document["clock"].flatMap { ScheduleRule(document: $0) } ?? clock
  }

  /// Its keys.
  var document: JSONObject { ["battery": battery.document, "clock": clock.document] }
}
