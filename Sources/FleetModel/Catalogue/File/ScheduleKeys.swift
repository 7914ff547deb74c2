/// The keys of the section `schedules`, and the one language in which the file says when something is due.
enum ScheduleKeys {
  static let keys = [
    ConfigurationKeys.key(
      "battery", schedule,
      "Battery polls, on contacts that happen anyway; a contact of its own at most once a day."),
    ConfigurationKeys.key("clock", schedule, "Readings of log clocks of connected boards."),
    ConfigurationKeys.key("firmware_check", schedule, "Checks for newer firmware."),
  ]

  /// One rule, or several of which the first counts.
  static let schedule = rules(atLeast: ScheduleRule.leastInterval)

  /// The same with intervals of at least so much.
  static func rules(atLeast least: Duration) -> ParameterType {
    let interval =
      least == ScheduleRule.leastInterval
      ? "an interval such as 15m" : "an interval of at least \(DurationText.format(least)), such as 60s"
    return .worded(
      "\(interval), daily HH:MM, weekly <mon…sun> HH:MM, never, or a list of them",
      .either([.scheduleRule(atLeast: least), .list(of: .scheduleRule(atLeast: least), 1...64)]))
  }
}
