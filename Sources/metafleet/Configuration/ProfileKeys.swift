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
      ConfigurationKey(
        "process", .program(.chain), \.program[.chain], .live,
        "Processor chains that boards compute, by name, as processor-create takes them.",
        sample: "{ presses: { from: switch, chain: [counter], to: [] } }", whenMissing: "none"),
      ConfigurationKey(
        "timers", .program(.timer), \.program[.timer], .live,
        "Timers of the boards by name, as timer-create takes them.",
        sample: "{ minute: { period_ms: 60000 } }", whenMissing: "none"),
      ConfigurationKey(
        "events", .program(.event), \.program[.event], .live,
        "What boards do by themselves, by name, as event-bind takes it.",
        sample: "{ hello: { source: button-press, action: { verb: led, args: { color: green } } } }",
        whenMissing: "none"),
      ConfigurationKey(
        "settings", .settings, \.settings, .live,
        "How boards present and connect themselves, as the verb settings takes it; written again after a reset.",
        sample: "{ tx_dbm: 4, advertising: { interval_ms: 417 } }", whenMissing: "none"),
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
    let profile = record.read(node, path, &reading) ?? Profile()
    profile.program.reportGaps(in: node, path, &reading)
    return profile
  }
}
