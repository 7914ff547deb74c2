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
  static let document: JSONObject = [
    "$schema": .string(JSONSchema.dialect), "title": "State of a board", "type": "object",
    "required": [
      "ts_ms", "board", "gw", "link", "sessions_24h", "session_fail_24h", "samples_lost_24h",
      "commands_waiting",
    ],
    "properties": .object(
      JSONObject(
        [
          ("link", ["enum": .array(LinkPhase.allCases.map { .string($0.rawValue) })]),
          ("stream_reason", ["type": "string"]), ("stream_reason_code", .object(reasonCode)),
          ("identity_reason", ["type": "string"]), ("identity_reason_code", .object(reasonCode)),
          ("reason", ["type": "string"]), ("reason_code", .object(reasonCode)),
        ]
          + ["board", "gw", "adapter", "fw", "maintenance_reason", "maintenance_who"].map {
            ($0, ["type": "string"])
          }
          + ["log_used_pct", "clock_err_ms", "drift_ppm"].map { ($0, ["type": "number"]) }
          + ["charging", "in_sync"].map { ($0, ["type": "boolean"]) }
          + [
            "ts_ms", "rssi_dbm", "battery_pct", "battery_mv", "battery_ms", "log_entries", "log_full_ms",
            "last_seen_ms", "last_session_ms", "next_contact_ms", "since_ms", "until_ms", "sessions_24h",
            "session_fail_24h", "samples_lost_24h", "commands_waiting", "boot",
            "maintenance_until_ms",
          ].map { ($0, ["type": "integer"]) })),
    "allOf": [
      ["if": ["required": ["reason"]], "then": ["required": ["reason_code"]]],
      ["if": ["required": ["reason_code"]], "then": ["required": ["reason"]]],
      ["if": ["required": ["stream_reason"]], "then": ["required": ["stream_reason_code"]]],
      ["if": ["required": ["stream_reason_code"]], "then": ["required": ["stream_reason"]]],
      ["if": ["required": ["identity_reason"]], "then": ["required": ["identity_reason_code"]]],
      ["if": ["required": ["identity_reason_code"]], "then": ["required": ["identity_reason"]]],
      ["if": ["required": ["maintenance_reason"]], "then": ["required": ["maintenance_until_ms"]]],
      ["if": ["required": ["maintenance_who"]], "then": ["required": ["maintenance_until_ms"]]],
    ],
  ]
}
