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
        "stream", .streams(for: .stream), \.streams, .live,
        "Streams by name, each with its configuration; {} = defaults.",
        sample: "{ acceleration: { rate_hz: 50, range_g: 4 } }", whenMissing: "none"),
      ConfigurationKey(
        "log", .streams(for: .log), \.logs, .live,
        "What boards keep on their flash, by name, each with its configuration; {} = defaults.",
        sample: "{ acceleration: { rate_hz: 50, range_g: 4 } }", whenMissing: "none"),
      .section(
        "logging", \.self,
        [
          ConfigurationKey(
            "circular", .boolean, \.isLogCircular, .live,
            "Whether the oldest entries give way when the flash is full; else logging ends then.")
        ], "How boards log."),
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
        "auto: hold the link when anything notifies or is read more often than every 2 min, else visit."),
      .section("visit", \.visit, visit, "Contacts with boards whose link is not held."),
      ConfigurationKey(
        "availability_window", .duration(.seconds(1) ... .seconds(366 * 86_400)), \.availabilityWindow, .live,
        "How long a board may be silent and still count as online.", sample: "60s",
        whenMissing: "60s while the link is held; visited: twice the time between visits, at least 10m"),
    ] + LaterKeys.profile.within(Profile.self)

  private static let visit: [ConfigurationKey<VisitPolicy>] = [
    ConfigurationKey(
      "every", .duration(.seconds(1) ... .seconds(366 * 86_400)), \.every, .live,
      "From one visit to the next.", sample: "1h", whenMissing: "no visits"),
    ConfigurationKey("jitter", .percent, \.jitter, .live, "How far visits spread around that."),
    ConfigurationKey("download", .boolean, \.download, .live, "Whether the log is brought home."),
    ConfigurationKey(
      "clear", .choice, \.clear, .live,
      "When what came in whole is erased on the board; published: once the broker has acknowledged it."),
    ConfigurationKey(
      "foreign", .boolean, \.takesForeign, .live,
      "Whether visits bring home a log that only loggers which nobody of us made have written."),
    ConfigurationKey(
      "hours", .hours, \.hours, .live, "When visits may happen.", sample: "\"08:00-18:00\"",
      whenMissing: "all day"),
  ]

  /// Reads one profile; its chains are streams as well.
  static func read(_ node: YAMLNode, _ path: String, _ reading: inout Reading) -> Profile {
    reading.chainNames = Set(node["process"]?.members?.map(\.key) ?? [])
    // An empty profile looks after battery and button only.
    let profile = record.read(node, path, &reading) ?? Profile()
    profile.program.reportGaps(in: node, path, &reading)
    profile.reportConflicts(in: node, path, &reading)
    return profile
  }
}

extension Profile {
  /// Reports what is streamed and logged otherwise.
  fileprivate func reportConflicts(in node: YAMLNode, _ path: String, _ reading: inout Reading) {
    for logged in logs.values.sorted(by: { $0.name < $1.name }) {
      guard let failure = streams.values.compactMap({ $0.conflict(with: logged) }).first else { continue }
      let place = "\(path).log.\(logged.name)"
      let position = node["log"]?.members?.first { $0.key == logged.name }?.position ?? node.position
      reading.error(place, position, "\(place): \(failure.message)")
    }
  }
}
