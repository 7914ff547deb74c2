import FleetModel

/// JSON Schemas of the retained documents of gateways (MQTT contract 1.6).
enum GatewaySchema {
  static let availability: JSONObject = SchemaKey.document(
    "Availability of a gateway",
    [
      .always("state", .words(["online", "offline"]), "offline: by its will, or as it stopped"),
      .always("birth", .count, "grows by one with every connection to the broker"),
      .known("since_ms", .time, "absent in the will"),
      .known("reason", .words(["started", "reconnected", "stopped"]), "absent in the will"),
    ])

  static let info: JSONObject = SchemaKey.document(
    "Identity of a gateway",
    [
      .always("v", .other(["const": 1]), "version of this form"),
      .always("ts_ms", .time, "when this content last changed"), .always("gateway", .text, "its id"),
      .known("site", .text, "from the file"), .always("version", .text, "of metafleet"),
      .always("host", .text, "name of its computer"), .always("os", .text, "name of its system"),
      .always("mqtt_protocol", .words(["5", "3.1.1"]), "which it speaks with this broker"),
      .always("config_hash", .text, "of the file that counts"),
      .known("config_error", .text, "why the file as it was last read does not count"),
      .known("last_crash", .other(crash), "how the run before ended, where nobody stopped it in order"),
      .known("withheld", .addresses, "boards left alone until somebody confirms that they go"),
      .known("refused_topics", .texts, "the first 20 whose latest message the broker refused"),
      .known("refused_reason", .text, "why it refused the last of these, in its own words"),
      .known("refused_subscriptions", .texts, "topics of its own that the broker does not let it hear"),
      .known("replaced_database", .text, "where a damaged one lies"),
      .always("started_ms", .time, "when it started"),
      .known("drained_since_ms", .time, "since when it connects no board"),
      .always("adapters", .addresses, "its adapters"), .always("boards", .addresses, "which it looks after"),
      .always("admission", .words(of: AdmissionPolicy.Mode.self), "who may join"),
      .always("verbs", .texts, "which it accepts"),
    ])

  private static let crash: JSONObject = SchemaKey.object([
    .always("reason", .words(of: CrashReport.Cause.self), "what it was"),
    .known("signal", .text, "its name"), .known("status", .integer, "exit status"),
    .known("message", .text, "its last words"), .known("ended_ms", .time, "when"),
    .always("count", .count, "so many in a row"),
  ])

  static let health = SchemaKey.document("Health of a gateway", numbers)

  private static let numbers: [SchemaKey] =
    [
      .always("ts_ms", .time, "when this was counted"), .always("gw", .text, "the gateway"),
      .always("storage", .words(of: StorageCondition.self), "lasting condition of its disk"),
    ]
    + Metric.allCases.map {
      SchemaKey.always($0.rawValue, .other(["type": "number", "minimum": 0]), $0.summary)
    }

  static let adapter: JSONObject = SchemaKey.document(
    "Bluetooth adapter of a gateway",
    [
      .always("ts_ms", .time, "when this was so"), .always("gw", .text, "the gateway"),
      .always("adapter", .address, "its address"), .always("name", .text, "the system's"),
      .always("state", .words(["up", "down", "blocked", "missing", "failed"]), "whether it can be used"),
      .always("slots_used", .count, "connections"), .always("slots_free", .count, "left"),
      .always("slots_total", .count, "of"), .known("slots_learned", .count, "from refusals"),
      .known("connecting", .address, "the board that is being connected"),
      .always("waiting", .count, "boards that wait, for any adapter"),
      .always(
        "queue", .other(["type": "array", "items": .object(request)]),
        "the first 20 that this adapter received lately"),
      .always("connected", .addresses, "boards"),
      .always("load_packets_per_s", .number, "what their streams ask of the connections"),
      .always("capacity_packets_per_s", .number, "what so many connections carry"),
      .always("scanning", .truth, "whether it looks for advertisements"),
      .known("scan_age_s", .number, "since the last one"),
      .known("scan_reason", .text, "what is wrong with the scan now"),
      .known("scan_reason_code", .other(StateSchema.reasonCode), "the same for programs"),
      .always("resets", .count, "since the start"), .always("scan_restarts", .count, "since the start"),
      .always("connects_ok", .count, "since the start"),
      .always("connects_failed", .count, "since the start"),
      .known("last_error", .text, "what went wrong last"), .known("last_error_ms", .time, "when"),
      .known("reason_code", .other(StateSchema.reasonCode), "the same for programs"),
      .known("last_seen_ms", .time, "of a missing one"),
    ],
    SchemaRule.together("last_error", "reason_code")
      + SchemaRule.together("scan_reason", "scan_reason_code"))

  private static let request: JSONObject = SchemaKey.object([
    .always("board", .address, "the board"),
    .always(
      "purpose", .words(["command", "download", "update", "stream", "poll"]), "what it is to be connected for"
    ),
    .always("since_ms", .time, "since when it waits"),
  ])
}
