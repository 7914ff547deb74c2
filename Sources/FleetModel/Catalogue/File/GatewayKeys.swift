/// The keys of the section `gateway`.
enum GatewayKeys {
  static let keys = [
    ConfigurationKeys.key(
      "id", .name, sample: "floor-3-east", whenMissing: "the host's name, made to fit", reload: .restart,
      "Its name in topics."),
    ConfigurationKeys.key(
      "site", .displayName(1...64), sample: "hq", whenMissing: "none", "Where it stands, for people."),
    ConfigurationKeys.key(
      "timezone", .worded("the name of a time zone such as Europe/Berlin", .word(atMost: 64)),
      sample: "Europe/Berlin", whenMissing: "the host's",
      "The time zone of the site: its clocks tell times of day in schedules and hours."),
  ]
}
