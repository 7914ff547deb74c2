import FleetModel

/// JSON Schemas of the documents that announce boards and gateways to Home Assistant (MQTT API 7), as far as all of
/// them are alike; Home Assistant's own schemas say the rest.
enum DiscoverySchema {
  static let document: JSONObject = announcement(
    "Announcement of a board to Home Assistant",
    [
      .always("device", .other(device), "the board"),
      .always(
        "availability", .other(["type": "array", "minItems": 2, "items": .object(place)]),
        "of the board and of its gateway"),
    ])

  static let gateway: JSONObject = announcement(
    "Announcement of a gateway to Home Assistant",
    [
      .always("device", .other(gatewayDevice), "the gateway"),
      .always(
        "availability", .other(["type": "array", "minItems": 1, "items": .object(place)]), "of the gateway"),
    ])

  private static func announcement(_ title: String, _ keys: [SchemaKey]) -> JSONObject {
    SchemaKey.document(
      title,
      keys + [
        .always(
          "origin",
          .other(
            SchemaKey.object([
              .always("name", .text, "MetaFleet"), .always("sw_version", .text, "its version"),
            ])),
          "who says so"),
        .always("availability_mode", .words(["all"]), "all of them count"),
        .always("qos", .other(["const": 1]), "of what Home Assistant subscribes to"),
        .always(
          "components",
          .other([
            "type": "object", "additionalProperties": ["type": "object", "required": ["platform"]],
          ]), "entities by key; one with nothing but its platform is withdrawn"),
      ])
  }

  private static let gatewayDevice: JSONObject = SchemaKey.object([
    .always("identifiers", .texts, "one"), .always("name", .text, "MetaFleet and the gateway's id"),
    .always("manufacturer", .text, "MetaFleet"), .always("model", .text, "Gateway"),
    .always("sw_version", .text, "of metafleet"),
  ])

  private static let device: JSONObject = SchemaKey.object([
    .always("identifiers", .texts, "one"), .always("name", .text, "the board's"),
    .known("connections", .other(["type": "array"]), "its address"),
    .known("suggested_area", .text, "its label `room`"), .known("manufacturer", .text, "once it is known"),
    .known("model", .text, "likewise"), .known("model_id", .text, "likewise"),
    .known("serial_number", .text, "likewise"), .known("hw_version", .text, "likewise"),
    .known("sw_version", .text, "firmware"),
  ])

  private static let place: JSONObject = SchemaKey.object([
    .always("topic", .text, "of an availability"),
    .always("value_template", .text, "what counts as online"),
    .always("payload_available", .text, "as the template says it"),
    .always("payload_not_available", .text, "likewise"),
  ])
}
