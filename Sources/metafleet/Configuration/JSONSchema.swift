import FleetModel

/// JSON Schemas of the configuration file and of the arguments of verbs, from their declarations.
enum JSONSchema {
  /// The language our schemas are written in.
  static let dialect = "https://json-schema.org/draft/2020-12/schema"

  /// The schema of the whole file.
  static let file = document("MetaFleet configuration", ConfigurationKeys.file)

  /// That of the file for clients.
  static let clientFile = document("MetaFleet client configuration", ClientKeys.file)

  private static func document(_ title: String, _ keys: [Parameter]) -> JSONObject {
    let schema: JSONObject = ["$schema": .string(dialect), "title": .string(title)]
    return schema.merging(members(keys))
  }

  /// The schema of an object with these members and no others. In YAML an object without members may be left empty:
  /// then it `isNullable`.
  static func members(_ parameters: [Parameter], isNullable: Bool = true) -> JSONObject {
    var schema: JSONObject = [
      "type": isNullable ? ["object", "null"] : "object", "additionalProperties": false,
    ]
    schema["properties"] = .object(
      JSONObject(
        parameters.flatMap { parameter in
          let schema = member(parameter, isNullable: isNullable)
          let former = parameter.file?.formerName.map { ($0, JSONValue.object(deprecated(schema))) }
          return [(parameter.name, .object(schema))] + (former.map { [$0] } ?? [])
        }))
    let required = parameters.filter { $0.isRequired && $0.file?.formerName == nil }.map(\.name)
    if !required.isEmpty { schema["required"] = .array(required.map { .string($0) }) }
    return schema
  }

  /// The same under a former name.
  private static func deprecated(_ schema: JSONObject) -> JSONObject { schema.merging(["deprecated": true]) }

  /// Keys of the file tell their default in words, because some have one that no value says.
  private static func member(_ parameter: Parameter, isNullable: Bool) -> JSONObject {
    var member = of(parameter.type, isNullable: isNullable)
    guard let key = parameter.file else {
      member["description"] = .string(parameter.summary)
      member["default"] = parameter.standard
      return member
    }
    var text = parameter.summary
    if let standard = YAMLText.standard(of: parameter) ?? key.whenMissing { text += " Default: \(standard)." }
    if !key.isInEffect { text += " Not in effect in this version." }
    member["description"] = .string(text)
    return member
  }

  /// The schema of the values of a type.
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
    case .text(let length), .displayName(let length): text(length)
    case .word(let most): text(1...most)
    case .file, .directory: ["type": "string", "minLength": 1]
    case .name: pattern(NameForm.name.pattern)
    case .boardName: pattern(NameForm.boardName.pattern)
    case .address: pattern("^([0-9A-Fa-f]{12}|([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2})$")
    case .identifier(let most): pattern("^[A-Za-z0-9._-]{1,\(most)}$")
    case .bytes: pattern("^([0-9A-Fa-f]{2}[ :]?)*$")
    case .duration: pattern("^([0-9.]+(ms|s|m|h|d|w))+$")
    case .size: pattern("^[0-9.]+([kMGT]?B|[KMGT]iB)$")
    case .percent: pattern("^[0-9.]+%$")
    case .hours: pattern("^[0-9]{2}:[0-9]{2}-[0-9]{2}:[0-9]{2}$")
    case .topicLevels: pattern("^[A-Za-z0-9_-]{1,32}(/[A-Za-z0-9_-]{1,32}){0,3}$")
    case .listenAddress: pattern(#"^(none|unix:/.+|(localhost|[0-9.]+|\[[0-9A-Fa-f:.]+\]):[0-9]{1,5})$"#)
    case .scheduleRule: pattern(schedule)
    case .instant: ["type": "integer", "minimum": 0]
    case .anything(let words): isNullable ? [:] : ["description": .string(words)]
    case .object(let parameters): members(parameters, isNullable: isNullable)
    case .settings: members(SettingsDeclaration.parameters, isNullable: isNullable)
    case .list(let element, let count): list(of: element, count, isNullable: isNullable)
    case .map(let keys, let value, let count): map(keys, to: value, count, isNullable: isNullable)
    case .streams(let use): streams(use, isNullable: isNullable)
    case .programs(let kind): programs(kind, isNullable: isNullable)
    case .either(let forms):
      [
        "anyOf": .array(
          forms.map { .object($0.isList ? form($0, isNullable) : of($0, isNullable: isNullable)) })
      ]
    case .worded(_, let type): of(type, isNullable: isNullable)
    }
  }

  private static let schedule: String = {
    let clock = "([01][0-9]|2[0-3]):[0-5][0-9]"
    let timeOfDay = "(daily|weekly (mon|tue|wed|thu|fri|sat|sun)) \(clock)( [0-9.]+%)?"
    let interval = "([0-9.]+(ms|s|m|h|d|w))+( [0-9.]+%)?( \(clock)-\(clock))*"
    return "^(never|\(timeOfDay)|\(interval))$"
  }()

  private static func text(_ length: ClosedRange<Int>) -> JSONObject {
    [
      "type": "string", "minLength": .integer(Int64(length.lowerBound)),
      "maxLength": .integer(Int64(length.upperBound)),
    ]
  }

  private static func pattern(_ pattern: String) -> JSONObject {
    ["type": "string", "pattern": .string(pattern)]
  }

  private static func list(
    of element: ParameterType, _ count: ClosedRange<Int>, isNullable: Bool
  ) -> JSONObject {
    var schema: JSONObject = [
      "type": isNullable ? ["array", "null"] : "array",
      "items": .object(of(element, isNullable: isNullable)),
    ]
    if !isNullable || count.lowerBound > 0 { schema["minItems"] = .integer(Int64(count.lowerBound)) }
    schema["maxItems"] = .integer(Int64(count.upperBound))
    return schema
  }

  /// A list that is one of several forms: nothing written is none of them.
  private static func form(_ list: ParameterType, _ isNullable: Bool) -> JSONObject {
    of(list, isNullable: isNullable).merging(["type": "array"])
  }

  private static func map(
    _ keys: NameForm, to value: ParameterType, _ count: ClosedRange<Int>, isNullable: Bool
  ) -> JSONObject {
    var schema: JSONObject = [
      "type": isNullable ? ["object", "null"] : "object",
      "additionalProperties": .object(of(value, isNullable: isNullable)),
    ]
    if isNullable { schema["propertyNames"] = ["pattern": .string(keys.pattern)] }
    if count.upperBound < .max { schema["maxProperties"] = .integer(Int64(count.upperBound)) }
    return schema
  }

  /// Streams of the catalogue; components and chains have names of their own.
  private static func streams(_ use: StreamUse, isNullable: Bool) -> JSONObject {
    let streams = StreamCatalogue.all.filter { use == .stream || $0.isLoggable }
    return [
      "type": ["object", "null"],
      "properties": .object(
        JSONObject(
          streams.map { ($0.name, .object(members($0.fileParameters(for: use), isNullable: isNullable))) })),
      "additionalProperties": ["type": ["object", "null"]],
    ]
  }

  /// What boards do by themselves; a chain also takes the keys of its source.
  private static func programs(_ kind: ProgramKey.Kind, isNullable: Bool) -> JSONObject {
    var arguments = members(kind.parameters, isNullable: isNullable)
    if kind == .chain { arguments["additionalProperties"] = true }
    return [
      "type": ["object", "null"], "additionalProperties": .object(arguments),
      "propertyNames": ["pattern": .string(NameForm.boardName.pattern)],
    ]
  }
}
