import FleetModel

/// JSON Schemas of what gateways publish: replies, events, live samples.
enum MessageSchema {
  /// A staged answer to any verb (MQTT contract 3.1, 4.2).
  static let reply: JSONObject = [
    "$schema": .string(JSONSchema.dialect), "title": "Reply", "type": "object",
    "properties": [
      "id": ["type": "string", "description": "of the request"],
      "stage": ["enum": ["accepted", "queued", "sent", "progress", "done", "failed", "unknown"]],
      "ok": ["type": "boolean", "description": "final replies only; true for done"],
      "verb": ["type": "string", "description": "of the topic"],
      "board": .object(board.merging(["description": "who was asked: one of these three"])),
      "group": ["type": "string", "description": "likewise"],
      "gateway": ["type": "string", "description": "likewise"],
      "gw": ["type": "string", "description": "the gateway that answers"],
      "ts_ms": ["type": "integer", "description": "when it was said"],
      "took_ms": [
        "type": "integer", "minimum": 0, "description": "final replies: since the request arrived",
      ],
      "evidence": [
        "enum": .array(Evidence.allCases.map { .string($0.rawValue) }),
        "description": "how `done` was proved",
      ],
      "data": ["type": "object", "description": "what the verb answers"],
      "code": [
        "enum": .array(CommandFailure.Code.allCases.map { .string($0.rawValue) }),
        "description": "why it failed",
      ],
      "message": ["type": "string", "description": "the same in a sentence"],
      "retry_after_ms": ["type": "integer", "minimum": 0, "description": "of `busy`"],
      "eta_ms": ["type": "integer", "description": "when it is likely to go on or be done"],
      "pct": ["type": "number", "minimum": 0, "maximum": 100, "description": "of long work"],
      "duplicate": ["const": true, "description": "a final reply once more"],
      "truncated": ["const": true, "description": "lists were cut"],
    ],
    "required": ["id", "stage", "verb", "gw", "ts_ms"], "additionalProperties": false,
    "oneOf": [["required": ["board"]], ["required": ["group"]], ["required": ["gateway"]]],
    "allOf": [
      [
        "if": ["properties": ["stage": ["enum": ["done", "failed", "unknown"]]]],
        "then": ["required": ["ok", "took_ms"]],
      ],
      ["if": ["properties": ["stage": ["const": "failed"]]], "then": ["required": ["code", "message"]]],
    ],
  ]

  /// An event of any kind (MQTT contract 5).
  static let event: JSONObject = [
    "$schema": .string(JSONSchema.dialect), "title": "Event", "type": "object",
    "required": ["ts_ms", "event_id", "event_type", "kind", "gw"],
    "properties": [
      "ts_ms": ["type": "integer", "description": "when it happened"],
      "event_id": ["type": "string", "description": "the same id is the same event"],
      "event_type": ["type": "string", "description": "by kind"],
      "kind": [
        "enum": .array(EventKind.allCases.map { .string($0.rawValue) }), "description": "of the topic",
      ],
      "board": .object(board.merging(["description": "on topics of boards"])),
      "gw": ["type": "string", "description": "the gateway"],
      "message": ["type": "string", "description": "for people"],
      "maintenance": ["const": true, "description": "the board is being worked on"],
    ],
    "oneOf": .array(
      EventKind.allCases.map { kind in
        [
          "properties": .object(
            JSONObject(
              [
                ("kind", ["const": .string(kind.rawValue)]),
                ("event_type", ["enum": .array(kind.types.map { .string($0) })]),
              ] + kind.fields.map { ($0, [:]) }))
        ]
      }),
  ]

  /// A live sample of any stream of the catalogue; those of pins, buses and chains have names of their own (MQTT
  /// contract 1.7, 2.2).
  static let live: JSONObject = [
    "$schema": .string(JSONSchema.dialect), "title": "Live sample", "type": "object",
    "required": ["ts_ms", "seq", "board", "stream", "gw"],
    "properties": [
      "ts_ms": ["type": "integer", "description": "when it was measured"],
      "seq": [
        "type": "integer", "minimum": 0, "description": "number of the same sample on the lane `record`",
      ],
      "board": .object(board.merging(["description": "whose sample"])),
      "stream": ["type": "string", "description": "of the topic"],
      "gw": ["type": "string", "description": "the gateway"],
      "quality": ["const": "uncertain", "description": "left out when good"],
      "quality_reasons": [
        "type": "string", "pattern": .string("^(\(reason))(,(\(reason)))*$"),
        "description": "with quality, one text with commas, as live samples are flat",
      ],
    ],
    "allOf": .array(
      StreamCatalogue.all.filter { $0.outlet == .stream }.map { stream in
        [
          "if": ["properties": ["stream": ["const": .string(stream.name)]]],
          "then": [
            "required": .array(stream.fields.map { .string($0.name) }),
            "properties": .object(JSONObject(stream.fields.map { ($0.name, .object(sample($0))) })),
          ],
        ]
      }),
  ]

  private static let reason = QualityReason.allCases.map(\.rawValue).joined(separator: "|")
  private static let board: JSONObject = ["type": "string", "pattern": "^[0-9a-f]{12}$"]

  /// The schema of a value.
  static func sample(_ field: StreamDefinition.Field) -> JSONObject {
    var schema: JSONObject =
      switch field.kind {
      case .number: ["type": "number"]
      case .integer: ["type": "integer"]
      case .flag: ["enum": [0, 1]]
      }
    if let possible = field.possible, field.kind != .flag {
      (schema["minimum"], schema["maximum"]) = (.number(possible.lowerBound), .number(possible.upperBound))
    }
    if !field.unit.isEmpty { schema["description"] = .string("in \(field.unit)") }
    return schema
  }
}
