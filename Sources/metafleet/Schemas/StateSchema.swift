import FleetModel

/// JSON Schema of a board's retained `state` (MQTT contract 1.3), and of the reasons that documents give (1.8).
enum StateSchema {
  /// One of the codes, each with its meaning.
  static let reasonCode: JSONObject = [
    "type": "string",
    "oneOf": .array(
      ReasonCode.allCases.map {
        ["const": .string($0.rawValue), "description": .string($0.meaning)]
      }),
  ]

  /// How a board is.
  static let document: JSONObject = SchemaKey.document("State of a board", keys, rules)

  private static let keys: [SchemaKey] = [
    .always("ts_ms", .time, "when this was so"), .always("board", .address, "the board"),
    .always("gw", .text, "the gateway that looks after it"),
    .always("link", .words(of: LinkPhase.self), "what it is doing"),
    .known("reason", .text, "why it is not where it should be, in a sentence"),
    .known("reason_code", .other(reasonCode), "the same for programs"),
    .known("since_ms", .time, "since when `reason_code` is the same"),
    .known("until_ms", .time, "when a suspension, or a long back-off, ends by itself"),
    .known("adapter", .address, "which holds or last held it"),
    .known("rssi_dbm", .integer, "of the last advertisement"),
    .known("battery_pct", .integer, "last poll"), .known("battery_mv", .integer, "last poll"),
    .known("battery_ms", .time, "when that was"), .known("charging", .truth, "of boards that can tell"),
    .known("log_used_pct", .number, "of capacity, estimated between visits"),
    .known("log_entries", .integer, "last length read"), .known("log_full_ms", .time, "estimated"),
    .known("last_seen_ms", .time, "advertisement or packet"),
    .known("last_session_ms", .time, "last session that was answered"),
    .known("next_contact_ms", .time, "when silence becomes suspicious"),
    .always("sessions_24h", .integer, "within a day"), .always("session_fail_24h", .integer, "within a day"),
    .always("samples_lost_24h", .integer, "within a day"),
    .always("commands_waiting", .integer, "for its next contact, or for their turn"),
    .known("clock_err_ms", .number, "as in batches"), .known("drift_ppm", .number, "as in batches"),
    .known("boot", .integer, "resets seen"), .known("in_sync", .truth, "as in its setup"),
    .known("fw", .text, "firmware"),
    .known("stream_reason", .text, "what is lastingly wrong with its streams"),
    .known("stream_reason_code", .other(reasonCode), "of the gravest, for programs"),
    .known("identity_reason", .text, "another board than before answers at the address"),
    .known("identity_reason_code", .other(reasonCode), "the same for programs"),
    .known("maintenance_until_ms", .time, "it is being worked on until then"),
    .known("maintenance_reason", .text, "as it was given"), .known("maintenance_who", .text, "claimed"),
  ]

  private static let rules =
    SchemaRule.together("reason", "reason_code")
    + SchemaRule.together("stream_reason", "stream_reason_code")
    + SchemaRule.together("identity_reason", "identity_reason_code")
    + ["maintenance_reason", "maintenance_who"].map { SchemaRule.implies($0, "maintenance_until_ms") }
}
