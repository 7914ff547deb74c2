import FleetModel

/// JSON Schemas of what goes over MQTT for a verb, from its declaration.
enum VerbSchema {
  /// The request to a verb; its arguments and what `data` of its answer holds stand under `$defs`.
  static func request(_ verb: VerbDefinition) -> JSONObject {
    var schema: JSONObject = [
      "$schema": .string(JSONSchema.dialect),
      "title": .string(
        "Request \(verb.name) to a \(verb.addressee == .board ? "board or group" : verb.addressee.word)"),
      "description": .string(verb.summary),
    ]
    let plain = envelope(verb)
    if verb.name == "led" {
      schema["anyOf"] = [.object(plain), .object(light)]
    } else {
      schema = schema.merging(plain)
    }
    schema["$defs"] = ["args": .object(arguments(of: verb)), "data": .object(data(of: verb))]
    return schema
  }

  /// What every verb takes beside its arguments (MQTT contract 3.1, 4.2).
  private static func envelope(_ verb: VerbDefinition) -> JSONObject {
    var properties = common
    properties["args"] = ["$ref": "#/$defs/args"]
    if verb.addressee == .board {
      properties["mode"] = [
        "enum": ["now", "queue"], "default": "now",
        "description": "queue: wait for the board's next contact",
      ]
      properties["job"] = .object(job)
    } else {
      properties["mode"] = ["const": "now"]
    }
    var schema: JSONObject = [
      "type": "object", "additionalProperties": false, "properties": .object(properties),
    ]
    if verb.parameters.contains(where: \.isRequired) { schema["required"] = ["args"] }
    return schema
  }

  private static let common: JSONObject = [
    "id": [
      "type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$",
      "description": "the same request under the same id runs once",
    ],
    "expires_ms": ["type": "integer", "description": "until when the work may begin, since 1970"],
    "issued_ms": ["type": "integer", "description": "when it was made, since 1970"],
  ]

  private static let job = JSONSchema.members(
    [
      Parameter("parallel", .integer(1...64), standard: 8, "boards at once"),
      Parameter("per_min", .integer(1...6_000), standard: 600, "boards a minute"),
      Parameter("abort_fail_pct", .integer(1...100), "stop when so many of those finished were not done"),
    ], isNullable: false
  ).merging(["description": "how a group is worked through; groups only"])

  /// Home Assistant's JSON light command.
  private static let light: JSONObject = {
    var schema = JSONSchema.members(VerbDefinition.lightParameters, isNullable: false)
    schema["properties"] = .object((schema["properties"]?.object ?? [:]).merging(common))
    schema["description"] = "Home Assistant's JSON light command"
    return schema
  }()

  /// The arguments.
  static func arguments(of verb: VerbDefinition) -> JSONObject {
    guard let fork = verb.fork else {
      var schema = JSONSchema.members(verb.parameters, isNullable: false)
      if let further = verb.furtherKeys {
        schema["additionalProperties"] = ["description": .string(further)]
      }
      return schema
    }
    let branches = fork.branches.map { branch in
      var schema = JSONSchema.members(
        verb.parameters.filter { $0.name != fork.key } + branch.parameters, isNullable: false)
      let own: JSONObject = [fork.key: ["const": .string(branch.word)]]
      schema["properties"] = .object(own.merging(schema["properties"]?.object ?? [:]))
      schema["required"] = .array([.string(fork.key)] + (schema["required"]?.array ?? []))
      return schema
    }
    return ["type": "object", "oneOf": .array(branches.map { .object($0) })]
  }

  private static func data(of verb: VerbDefinition) -> JSONObject {
    var schema = JSONSchema.members(verb.answer.results, isNullable: false)
    if let further = verb.answer.furtherResults {
      schema["additionalProperties"] = ["description": .string(further)]
    }
    return schema
  }
}
