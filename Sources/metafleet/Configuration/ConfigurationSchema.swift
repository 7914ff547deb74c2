import FleetModel

/// Every key of the file, declared once (MQTT contract 7). What has no effect yet stands in `LaterKeys`.
enum ConfigurationSchema {
  /// The keys of the file in the order of the contract.
  static let keys: [ConfigurationKey<FleetConfiguration>] =
    [
      .section("gateway", \.gateway, gateway, "Who this gateway is."),
      .section("mqtt", \.mqtt, mqtt, "The broker and how to reach it."),
      .section("storage", \.storage, storage, "Where and how long things are kept."),
      .section("lanes", \.lanes, lanes, "Bounds of the live and record lanes."),
      .section("bluetooth", \.bluetooth, bluetooth, "Adapters and links."),
      .section("schedules", \.schedules, schedules, "Things done on a schedule."),
      .section("admission", \.admission, admission, "Which boards may join by themselves."),
      .section("commands", \.commands, commands, "Bounds of command queues."),
      .section("log", \.log, log, "The daemon's own log, on standard error."),
      ConfigurationKey(
        "profiles", .profiles, \.profiles, .live, "What is wanted of a kind of board, by name."),
      ConfigurationKey("boards", .boards, \.boards, .live, "The boards that are ours."),
    ] + LaterKeys.file.within(FleetConfiguration.self)

  private static let gateway: [ConfigurationKey<GatewayIdentity>] = [
    ConfigurationKey(
      "id", .name, \.id, .restart, "Its name in topics.", sample: "floor-3-east",
      whenMissing: "the host's name, made to fit"),
    ConfigurationKey(
      "site", .text(1...64), \.site, .live, "Where it stands, for people.", sample: "hq",
      whenMissing: "none"),
  ]

  private static let mqtt: [ConfigurationKey<UplinkConfiguration>] = [
    ConfigurationKey("host", .word("a host name or address"), \.host, .reconnect, "The broker."),
    ConfigurationKey(
      "port", .integer(1...65_535), \.port, .reconnect, "Its port.", sample: "1883",
      whenMissing: "1883, with tls 8883"),
    ConfigurationKey(
      "tls", .tls, \.tls, .reconnect,
      "true (the system's authorities), or files; changed files count within 60 s.",
      sample: "true", whenMissing: "no TLS"),
    ConfigurationKey(
      "username", .word("a user name"), \.username, .reconnect, "Who we are to the broker.",
      sample: "metafleet", whenMissing: "nobody"),
    ConfigurationKey(
      "password_file", .secretFile, \.passwordFile, .reconnect,
      "File whose first line is the password; credential:<name> for one of systemd's.",
      sample: "credential:mqtt-password", whenMissing: "no password"),
    ConfigurationKey("base", .topicLevels, \.base, .restart, "First levels of every topic."),
    ConfigurationKey(
      "client_id", .word("text of 1 to 64 characters", atMost: 64), \.clientID, .reconnect,
      "Client identifier.", sample: "metafleet-floor-3-east", whenMissing: "metafleet-<gateway.id>"),
    ConfigurationKey(
      "protocol", .choice, \.protocolChoice, .reconnect, "MQTT version; auto: 5, then 3.1.1 with a warning."),
    ConfigurationKey(
      // The library takes no less than 5 s, the protocol no more than 65 535 s.
      "keepalive", .duration(.seconds(5) ... .seconds(65_535)), \.keepalive, .reconnect,
      "Longest silence on the connection."),
    ConfigurationKey(
      "connect_timeout", .duration(.seconds(1) ... .seconds(600)), \.connectTimeout, .reconnect,
      "Limit of one attempt; the next follows after 1 s, later after up to 60 s."),
  ]

  private static let storage: [ConfigurationKey<StorageConfiguration>] =
    [
      ConfigurationKey(
        "directory", .directory, \.directory, .restart, "Where everything is kept that survives a restart.",
        sample: "/var/lib/metafleet",
        whenMissing:
          "$STATE_DIRECTORY; else /var/lib/metafleet for root, $XDG_STATE_HOME/metafleet for others"),
      ConfigurationKey(
        "min_free", .size, \.minimumFree, .live, "Free space below which streams are not spooled any more."),
      .section("outbox", \.self, outbox, "What waits for the broker."),
      ConfigurationKey(
        "replay", .duration(.zero ... .seconds(366 * 86_400)), \.replay, .live,
        "How long delivered messages stay replayable."),
      ConfigurationKey(
        "retain", .duration(.zero ... .seconds(3660 * 86_400)), \.retain, .live,
        "How long delivered logs are kept; what was not delivered is."),
      ConfigurationKey(
        "max_size", .size, \.maximumSize, .live, "Beyond it the oldest delivered logs go."),
    ]

  private static let outbox: [ConfigurationKey<StorageConfiguration>] = [
    ConfigurationKey(
      "max_size", .size, \.outboxMaximumSize, .live, "Beyond it the oldest records become gaps."),
    ConfigurationKey(
      "max_age", .duration(.seconds(60) ... .seconds(366 * 86_400)), \.outboxMaximumAge, .live,
      "Beyond it the oldest records become gaps."),
    ConfigurationKey(
      "drain_per_s", .integer(1...100_000), \.drainPerSecond, .live, "Messages per second while catching up."),
  ]

  private static let lanes: [ConfigurationKey<LaneLimits>] =
    [
      .section(
        "live", \.self,
        [
          ConfigurationKey(
            "rate_hz", .number(0...50), \.liveRate, .live,
            "Samples per second of a board's stream; 0 = no live lane.")
        ], "Small and decimated, for eyes."),
      .section(
        "record", \.self,
        [
          ConfigurationKey(
            "max_samples", .integer(1...500), \.maximumSamples, .live, "Samples in a batch."),
          ConfigurationKey(
            "max_span", .duration(.milliseconds(1) ... .milliseconds(250)), \.maximumSpan, .live,
            "Stream time in a batch."),
        ], "Complete and numbered, for databases."),
    ] + LaterKeys.lanes.within(LaneLimits.self)

  private static let bluetooth: [ConfigurationKey<BluetoothConfiguration>] =
    [
      ConfigurationKey(
        "adapters", .automatic(or: .list(of: .adapter, atMost: 64)), \.adapters, .live,
        "auto (all), or a list of adapter addresses."),
      ConfigurationKey(
        "max_links_per_adapter", .automatic(or: .integer(1...64)), \.maximumLinksPerAdapter, .live,
        "auto (learned), or a number."),
      ConfigurationKey(
        "connect_timeout", .duration(.seconds(1) ... .seconds(60)), \.connectTimeout, .live,
        "Limit of one attempt to connect."),
    ] + LaterKeys.bluetooth.within(BluetoothConfiguration.self)

  private static let schedules: [ConfigurationKey<Schedules>] =
    [
      ConfigurationKey(
        "battery", .schedule, \.battery, .live,
        "Battery polls, on contacts that happen anyway; a contact of its own only after 24 h."),
      ConfigurationKey(
        "clock", .schedule, \.clock, .live, "Readings of log clocks of connected boards."),
    ] + LaterKeys.schedules.within(Schedules.self)

  private static let admission: [ConfigurationKey<AdmissionPolicy>] = [
    ConfigurationKey(
      "mode", .choice, \.mode, .live, "listed; open: every board; window: open for a while after the start."),
    ConfigurationKey(
      "window", .duration(.seconds(1) ... .seconds(86_400)), \.window, .live, "How long that is."),
    ConfigurationKey(
      "profile", .profileReference, \.profile, .live, "Profile for what comes in.", sample: "vibration",
      whenMissing: "none: battery and button only"),
  ]

  private static let commands: [ConfigurationKey<CommandLimits>] = [
    ConfigurationKey(
      "queue_per_board", .integer(1...10_000), \.queuePerBoard, .live, "Commands waiting for one board."),
    ConfigurationKey(
      "queue_per_adapter", .integer(1...100_000), \.queuePerAdapter, .live,
      "Commands waiting for all boards of one adapter."),
    ConfigurationKey(
      "per_min", .integer(1...100_000), \.perMinute, .live, "Commands per target and minute."),
    ConfigurationKey(
      "allow", .permissions, \.permissions, .live,
      "Who may do what: rules of verbs, groups and boards; of verbs, * is all but raw, which must be named.",
      sample: "[{ verbs: [\"*\"] }]", whenMissing: "one rule: all verbs but raw"),
  ]

  private static let log: [ConfigurationKey<LogConfiguration>] = [
    ConfigurationKey("level", .choice, \.level, .live, "How much is said."),
    ConfigurationKey("format", .choice, \.format, .live, "For people, or one JSON object per line."),
  ]
}
