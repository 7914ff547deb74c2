import FleetModel

/// JSON Schema of the retained `alarms` document of a gateway (MQTT contract 1.9).
enum AlarmSchema {
  static let document: JSONObject = SchemaKey.document(
    "Alarms of a gateway",
    [
      .always("ts_ms", .time, "when this content last changed"), .always("gw", .text, "the gateway"),
      .always("count", .count, "how many there are"),
    ]
      + AlarmSeverity.allCases.map { .always($0.rawValue, .count, "how many of them are \($0.rawValue)") }
      + [
        .always("unacknowledged", .count, "how many of them nobody has acknowledged"),
        .always(
          "alarms",
          .other(["type": "array", "maxItems": .integer(Int64(AlarmReport.longest)), "items": .object(alarm)]
          ),
          "the gravest \(AlarmReport.longest): critical ones first, of those what nobody acknowledged, the oldest first"
        ),
      ])

  private static let alarm: JSONObject = {
    var schema = SchemaKey.object([
      .always("id", .text, "code and board or adapter; while it lasts there is one of it"),
      .always("code", .other(code), "what is the matter"),
      .always("severity", .words(of: AlarmSeverity.self), "how grave"),
      .always("since_ms", .time, "since when"), .known("board", .address, "the board"),
      .known("adapter", .address, "the adapter"), .known("name", .text, "of the board or adapter"),
      .always("text", .text, "the same for people, and what to do"),
      .known("reason_code", .other(StateSchema.reasonCode), "why, where it is known"),
      .always("acknowledged", .truth, "whether somebody has seen it"),
      .known("acknowledged_ms", .time, "when"), .known("acknowledged_by", .text, "who, as the sender said"),
    ])
    schema["allOf"] = .array([SchemaRule.implies("acknowledged_by", "acknowledged_ms")])
    return schema
  }()

  /// Each with its meaning.
  private static let code: JSONObject = [
    "oneOf": .array(
      AlarmCode.allCases.map { ["const": .string($0.rawValue), "description": .string($0.meaning)] })
  ]
}
