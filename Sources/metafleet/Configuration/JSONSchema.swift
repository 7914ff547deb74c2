import FleetModel

/// The JSON Schema of the configuration file, from its declaration.
enum JSONSchema {
  /// The language our schemas are written in.
  static let dialect = "https://json-schema.org/draft/2020-12/schema"

  /// The schema of the whole file.
  static let file: JSONObject = {
    var schema: JSONObject = [
      "$schema": .string(dialect), "title": "MetaFleet configuration",
    ]
    schema = schema.merging(record(ConfigurationSchema.keys.map { $0.describe(FleetConfiguration()) }))
    return schema
  }()

  /// The schema of one value.
  static func of(_ shape: ValueShape) -> JSONObject {
    switch shape {
    case .value(_, let schema): schema
    case .record(let keys): record(keys)
    case .map(let pattern, let value):
      [
        "type": ["object", "null"], "additionalProperties": .object(of(value)),
        "propertyNames": ["pattern": .string(pattern)],
      ]
    case .list(let element): ["type": ["array", "null"], "items": .object(of(element))]
    case .streams(let use): streams(use)
    }
  }

  private static func record(_ keys: [KeyDescription]) -> JSONObject {
    var schema: JSONObject = [
      "type": ["object", "null"], "additionalProperties": false,
      "properties": .object(JSONObject(keys.map { ($0.name, .object(property($0))) })),
    ]
    let required = keys.filter(\.isRequired).map(\.name)
    if !required.isEmpty { schema["required"] = .array(required.map { .string($0) }) }
    return schema
  }

  private static func property(_ key: KeyDescription) -> JSONObject {
    var schema = of(key.shape)
    var text = key.summary
    if let standard = key.standard ?? key.whenMissing { text += " Default: \(standard)." }
    if !key.isInEffect { text += " Not in effect in this version." }
    schema["description"] = .string(text)
    return schema
  }

  /// Streams of the catalogue; components and chains have names of their own.
  private static func streams(_ use: StreamUse) -> JSONObject {
    let streams = StreamCatalogue.all.filter { use == .stream || $0.isLoggable }
    return [
      "type": ["object", "null"],
      "properties": .object(
        JSONObject(streams.map { ($0.name, .object(members($0.parameters(for: use) + [nearest]))) })),
      "additionalProperties": ["type": ["object", "null"]],
    ]
  }

  private static let nearest = Parameter(
    "nearest", .boolean, standard: false, "accept the nearest offered value")

  /// The schema of an object with these members and no others. In YAML an object without members may be left empty:
  /// then it `isNullable`.
  static func members(_ parameters: [Parameter], isNullable: Bool = true) -> JSONObject {
    var schema: JSONObject = [
      "type": isNullable ? ["object", "null"] : "object", "additionalProperties": false,
    ]
    schema["properties"] = .object(
      JSONObject(
        parameters.map { parameter in
          var member = of(parameter.type, isNullable: isNullable)
          member["description"] = .string(parameter.summary)
          member["default"] = parameter.standard
          return (parameter.name, .object(member))
        }))
    let required = parameters.filter(\.isRequired).map(\.name)
    if !required.isEmpty { schema["required"] = .array(required.map { .string($0) }) }
    return schema
  }

  /// The schema of an argument's or a stream key's values.
  static func of(_ type: ParameterType, isNullable: Bool = true) -> JSONObject {
    switch type {
    case .integer(let range):
      ["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]
    case .number(let range):
      ["type": "number", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)]
    case .boolean: ["type": "boolean"]
    // A value within 1 % of an offered one is that one, and `nearest` allows any: the list is for people.
    case .offered(let values): ["type": "number", "examples": .array(values.map { .number($0) })]
    case .choice(let words): ["enum": .array(words.map { .string($0) })]
    case .text(let length):
      [
        "type": "string", "minLength": .integer(Int64(length.lowerBound)),
        "maxLength": .integer(Int64(length.upperBound)),
      ]
    case .boardName: ["type": "string", "pattern": "^[a-z][a-z0-9-]{0,31}$"]
    case .address:
      ["type": "string", "pattern": "^([0-9A-Fa-f]{12}|([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2})$"]
    case .identifier(let most): ["type": "string", "pattern": .string("^[A-Za-z0-9._-]{1,\(most)}$")]
    case .instant: ["type": "integer", "minimum": 0]
    case .anything(let words): isNullable ? [:] : ["description": .string(words)]
    case .bytes: ["type": "string", "pattern": "^([0-9A-Fa-f]{2}[ :]?)*$"]
    case .duration: ["type": "string", "pattern": "^([0-9.]+(ms|s|m|h|d|w))+$"]
    case .object(let parameters): members(parameters, isNullable: isNullable)
    case .name: ["type": "string", "pattern": "^[a-z0-9][a-z0-9_-]{0,31}$"]
    case .list(let element, let count):
      [
        "type": "array", "items": .object(of(element, isNullable: isNullable)),
        "minItems": .integer(Int64(count.lowerBound)), "maxItems": .integer(Int64(count.upperBound)),
      ]
    case .map(let value, let count):
      [
        "type": "object", "additionalProperties": .object(of(value, isNullable: isNullable)),
        "maxProperties": .integer(Int64(count.upperBound)),
      ]
    case .either(let forms): ["anyOf": .array(forms.map { .object(of($0, isNullable: isNullable)) })]
    }
  }
}
