import FleetModel

/// JSON Schema of the retained document of a rollout (MQTT contract 4.3).
enum RolloutSchema {
  static let document: JSONObject = SchemaKey.document(
    "Rollout of firmware",
    [
      .always("ts_ms", .time, "when this became so"), .always("gw", .text, "the gateway"),
      .always("rollout", .text, "its id"), .always("group", .text, "whose boards get the firmware"),
      .always("version", .text, "what they are to have"),
      .always("phase", .words(of: RolloutPhase.self), "how far it is"),
      .always("paused", .truth, "whether no board is begun until it is resumed"),
      .known("reason", .text, "why it was aborted"),
    ] + RolloutCount.allCases.map { .always($0.rawValue, .count, $0.meaning) } + [
      .always("per_hour", .count, "boards that may be begun in an hour, by now"),
      .known("next_ms", .time, "when the next thing happens by itself"),
      .always("began_ms", .time, "when it began"),
      .always(
        "not_done",
        .other([
          "type": "array", "maxItems": .integer(Int64(RolloutReport.mostRows)), "items": .object(row),
        ]), "boards that do not have the firmware, at most 100: those that need somebody first"),
    ])

  private static let row = SchemaKey.object([
    .always("board", .address, "the board"),
    .always("state", .words(of: RolloutReport.Row.State.self), "how far it is"),
    .known("reason", .text, "why"),
  ])
}
