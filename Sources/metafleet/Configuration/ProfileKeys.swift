import FleetModel

/// The keys of a profile (MQTT contract 7.4).
enum ProfileKeys {
  static let record = ValueForm<Profile>.record(keys, from: Profile())

  private static let keys: [ConfigurationKey<Profile>] =
    [
      .checked(
        "extends", .name, "A profile this one is laid over, key by key; ours win.", sample: "climate",
        whenMissing: "none"),
      ConfigurationKey(
        "stream", .streams, \.streams, .live, "Streams by name, each with its configuration; {} = defaults.",
        sample: "{ acceleration: { rate_hz: 50, range_g: 4 } }", whenMissing: "none"),
      ConfigurationKey("button", .boolean, \.button, .live, "Whether the button raises events."),
      ConfigurationKey(
        "link", .choice, \.link, .live,
        "auto: hold the link when anything notifies or is read more often than every 2 min."),
      ConfigurationKey(
        "availability_window", .duration(.seconds(1) ... .seconds(366 * 86_400)), \.availabilityWindow, .live,
        "How long a board may be silent and still count as online.", sample: "60s",
        whenMissing: "60s while the link is held"),
    ] + LaterKeys.profile.within(Profile.self)

  /// Reads one profile; its chains are streams as well.
  static func read(_ node: YAMLNode, _ path: String, _ reading: inout Reading) -> Profile {
    reading.chainNames = Set(node["process"]?.members?.map(\.key) ?? [])
    // An empty profile looks after battery and button only.
    return record.read(node, path, &reading) ?? Profile()
  }
}
