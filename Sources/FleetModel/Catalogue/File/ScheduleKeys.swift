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
  static let schedule = ParameterType.worded(
    "an interval such as 15m, daily HH:MM, weekly <mon…sun> HH:MM, never, or a list of them",
    .either([.scheduleRule, .list(of: .scheduleRule, 1...64)]))
}
