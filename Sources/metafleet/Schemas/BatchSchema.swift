import FleetModel

/// JSON Schema of a batch of samples on the lanes `record`, `log` and, decoded, `cbor` (MQTT API 3.2).
enum BatchSchema {
  static let document: JSONObject = SchemaKey.document(
    "Batch of samples",
    [
      .always("v", .other(["const": 1]), "version of this form"),
      .always("board", .address, "whose samples"), .always("stream", .text, "of the topic"),
      .always("gw", .text, "the gateway"),
      .always("origin", .words(["stream", "flash"]), "as they were taken, or from the board's log"),
      .always(
        "session", .other(["type": "string", "pattern": "^[0-7][0-9A-HJKMNP-TV-Z]{25}$"]),
        "the uninterrupted run of one stream with one configuration"),
      .always("boot", .other(["type": "integer", "minimum": 1]), "resets of the board, as far as known"),
      .always("seq", .count, "number of the first sample within the session"),
      .always("count", .other(["type": "integer", "minimum": 1]), "of samples"),
      .always(
        "gap_before", .other(["type": "integer", "minimum": -1]), "lost before the first; -1: unknown"),
      .always("batch_id", .text, "the same id is the same batch once more"),
      .always("clock", .other(clock), "how good the stamps are"),
      .always(
        "samples",
        .other(["type": "array", "minItems": 1, "maxItems": 500, "items": .object(sample)]),
        "in the order of their times"),
      .known("config", .other(["type": "object"]), "in the first batch of a session: what is in effect"),
      .known("quality", .words(["uncertain"]), "left out when good"),
      .known(
        "quality_reasons",
        .other([
          "type": "array", "minItems": 1, "items": .object(SchemaKey.Form.words(of: QualityReason.self).base),
        ]), "with `quality`"),
    ],
    SchemaRule.together("quality", "quality_reasons")
      + StreamCatalogue.all.filter { $0.outlet == .stream }.map(rule))

  private static let clock: JSONObject = SchemaKey.object([
    .always("source", .words(["board-tick", "arrival", "unknown"]), "what the stamps are from"),
    .known("err_ms", .other(["type": "number", "minimum": 0]), "how far they may be off"),
    .known("drift_ppm", .number, "how much the board's clock is fast"),
    .known("anchor_ms", .time, "the nearest look at the board's clock"),
  ])

  private static let sample: JSONObject = SchemaKey.object([
    .always("ts_us", .integer, "microseconds since 1970")
  ])

  /// What samples of a stream of the catalogue hold.
  private static func rule(_ stream: StreamDefinition) -> JSONValue {
    SchemaRule.when(
      "stream", is: .string(stream.name),
      [
        "properties": [
          "samples": [
            "items": [
              "required": .array(stream.fields.map { .string($0.name) }),
              "properties": .object(
                JSONObject(stream.fields.map { ($0.name, .object(MessageSchema.sample($0))) })),
            ]
          ]
        ]
      ])
  }
}
