/// Things done on a schedule.
public struct Schedules: Hashable, Sendable {
  /// Battery polls of connected boards.
  public var battery = ScheduleRule.every(.seconds(900))
  /// Readings of log clocks of connected boards.
  public var clock = ScheduleRule.every(.seconds(900))
  /// Checks for newer firmware.
  public var firmwareCheck = ScheduleRule.daily(minute: 3 * 60)

  /// All defaults.
  public init() {}
}

/// As the section `schedules` of the file says it.
extension Schedules {
  /// Reads checked keys; what is missing has its default.
  init(document: JSONObject) {
    battery = document["battery"].flatMap { ScheduleRule(document: $0) } ?? battery
    clock = document["clock"].flatMap { ScheduleRule(document: $0) } ?? clock
    firmwareCheck = document["firmware_check"].flatMap { ScheduleRule(document: $0) } ?? firmwareCheck
  }

  /// Its keys.
  var document: JSONObject {
    ["battery": battery.document, "clock": clock.document, "firmware_check": firmwareCheck.document]
  }
}
