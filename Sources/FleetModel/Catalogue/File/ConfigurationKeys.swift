/// Every key of the configuration file, declared once (MQTT contract 7). Reading with places, the example, the JSON
/// Schema, the list of keys, and what a reload does with a change come from these declarations.
package enum ConfigurationKeys {
  /// The keys of the file in the order of the contract.
  package static let file: [Parameter] =
    [
      section("gateway", GatewayKeys.keys, "Who this gateway is."),
      section("mqtt", mqtt, defaults: UplinkConfiguration().document, "The broker and how to reach it."),
      section(
        "storage", StorageKeys.keys, defaults: StorageConfiguration().document,
        "Where and how long things are kept."),
      section("lanes", lanes, defaults: LaneLimits().document, "Bounds of the live and record lanes."),
      section("bluetooth", bluetooth, defaults: BluetoothConfiguration().document, "Adapters and links."),
      section("schedules", ScheduleKeys.keys, defaults: Schedules().document, "Things done on a schedule."),
      section(
        "admission", admission, defaults: AdmissionPolicy().document, "Which boards may join by themselves."),
      section("commands", commands, defaults: CommandLimits().document, "Bounds of command queues."),
      FirmwareKeys.section,
      section(
        "homeassistant", homeAssistant, defaults: HomeAssistantConfiguration().document,
        "Whether boards announce themselves to Home Assistant."),
      HTTPKeys.section,
      section("log", log, defaults: LogConfiguration().document, "The daemon's own log, on standard error."),
      key(
        "profiles", .map(keys: .name, of: .object(profile), 0...Int.max),
        "What boards are to do, by name of the profile."),
      key("boards", .list(of: .object(board), 0...10_000), standard: [], "The admitted boards."),
    ] + laterSections

  static let mqtt = [
    key("host", .worded("a host name or address", .word(atMost: 255)), "The broker."),
    key(
      "port", .integer(1...65_535), sample: "1883", whenMissing: "1883, with tls 8883",
      "Its port."),
    key(
      "tls",
      .worded("true, false, or a mapping with ca, certificate, key", .either([.boolean, .object(tls)])),
      sample: "true", whenMissing: "no TLS",
      "true (the system's authorities), or files; changed files count within 60 s."),
    key(
      "username", .worded("a user name", .word(atMost: 255)), sample: "metafleet", whenMissing: "none",
      "User name at the broker."),
    key(
      "password_file", .file(isSecret: true), sample: "credential:mqtt-password", whenMissing: "no password",
      "File whose first line is the password; credential:<name> for one of systemd's."),
    key("base", .topicLevels, reload: .restart, "First levels of every topic."),
    key(
      "client_id", .word(atMost: 64), sample: "metafleet-floor-3-east",
      whenMissing: "metafleet-<gateway.id>", "Client identifier."),
    key(
      "protocol", .words(of: UplinkConfiguration.ProtocolChoice.self),
      "MQTT version; auto: 5, then 3.1.1 with a warning."),
    key(
      // The library takes no less than 5 s, the protocol no more than 65 535 s.
      "keepalive", .duration(atLeast: .seconds(5), atMost: .seconds(65_535)),
      "Keep-alive interval."),
    key(
      "connect_timeout", .duration(atLeast: .seconds(1), atMost: .seconds(600)),
      "Limit of one attempt; the next follows after 1 s, later after up to 60 s."),
  ]

  private static let tls = [
    key(
      "ca", .file(isSecret: false), sample: "ca.pem", whenMissing: "the system's",
      "Trusted certificate authorities."),
    key(
      "certificate", .file(isSecret: false), sample: "client.pem", whenMissing: "none",
      "The client certificate."),
    key(
      "key", .file(isSecret: true), sample: "client.key", whenMissing: "none", "Its key."),
  ]

  private static let lanes = [
    section(
      "live",
      [
        key(
          "rate_hz", .number(0...50),
          "Samples per second of a board's stream; 0 = no live lane.")
      ], "Live samples: small and decimated, for dashboards."),
    section(
      "record",
      [
        key("max_samples", .integer(1...500), "Samples in a batch."),
        key(
          "max_span", .duration(atLeast: .milliseconds(1), atMost: .milliseconds(250)),
          "Stream time in a batch."),
      ], "Complete and numbered, for databases."),
    key(
      "encodings", .list(of: .choice(SampleEncoding.allCases.map(\.rawValue)), 1...3),
      "How record and log batches are written: json, lp (Influx line protocol), cbor; each on a lane of its own."
    ),
  ]

  private static let homeAssistant = [
    key("discovery", .boolean, "Whether every board is announced, as a device with its entities."),
    key("prefix", .topicLevels, "First levels of Home Assistant's discovery topics."),
    key(
      "firmware_update", .boolean,
      "Whether Home Assistant may install firmware; its user at the broker needs the right to, too."),
  ]

  private static let bluetooth = [
    key(
      "adapters", .automatic(or: .list(of: .address, 0...64)), reach: .link,
      "auto (all), or a list of adapter addresses."),
    key(
      "max_links_per_adapter", .automatic(or: .integer(1...64)),
      "auto (learned), or a number."),
    key(
      "connect_timeout", .duration(atLeast: .seconds(1), atMost: .seconds(60)),
      "Limit of one attempt to connect."),
    key(
      "quiet_ok", .boolean,
      "Whether long times without any advertisement are normal here, so that silent scans are not restarted."),
  ]

  private static let admission = [
    key(
      "mode", .words(of: AdmissionPolicy.Mode.self),
      "listed; open: every board; window: open for a while after the start."),
    key("window", .duration(atLeast: .seconds(1), atMost: .seconds(86_400)), "How long that is."),
    key(
      "profile", .name, sample: "vibration", whenMissing: "none: battery and button only",
      "Profile of boards that join."),
    key("max_boards", .integer(1...10_000), "Boards that may be admitted at a time because they joined."),
    key(
      "min_rssi_dbm", .integer(-127 ... -1), sample: "-80", whenMissing: "any",
      "The weakest signal a board may join with."),
    key("per_min", .integer(1...1_000), "Boards that may join in any minute."),
    key(
      "expiry",
      .either([
        .choice(["never"]), .duration(atLeast: .seconds(60), atMost: .seconds(366 * 86_400)),
      ]),
      "A board that joined and was never connected for that long is removed; never: it stays."),
  ]

  private static let names = ParameterType.list(of: .worded("a name or *", .word(atMost: 255)), 0...256)

  private static let commands = [
    key("queue_per_board", .integer(1...10_000), "Commands waiting for one board."),
    key(
      "queue_per_adapter", .integer(1...100_000), "Commands waiting for all boards of one adapter."),
    key("per_min", .integer(1...100_000), "Commands per target and minute."),
    key(
      "response_topics",
      .worded(
        "any, none, or a list of first levels of topics",
        .either([.choice(["any", "none"]), .list(of: .topicLevels, 1...64)])),
      "Where answers may go besides the reply topic, when a sender names a topic: any, none, or only below these levels."
    ),
    key(
      "allow",
      .list(
        of: .object([
          key("verbs", names, sample: "[\"*\"]", whenMissing: "all", "Verbs; * = all but raw."),
          key("groups", names, sample: "[\"*\"]", whenMissing: "all", "Groups; * = all."),
          key(
            "boards", names, sample: "[\"*\"]", whenMissing: "all", "Boards by their identifiers; * = all."),
        ]), 0...256), sample: "[{ verbs: [\"*\"] }]", whenMissing: "one rule: all verbs but raw",
      "Who may do what: rules of verbs, groups and boards; of verbs, * is all but raw, which must be named."),
  ]

  private static let log = [
    key("level", .words(of: LogConfiguration.Level.self), "Lowest severity that is logged."),
    key(
      "format", .words(of: LogConfiguration.Format.self),
      "For people, or one JSON object per line."),
  ]
}
