internal import FleetModel

/// A JSON value with its kind beside it: numbers that are whole lie as such only where they are meant so, and members
/// as pairs.
enum StoredValue {
  static func object(_ value: JSONValue) -> JSONObject {
    switch value {
    case .null: [:]
    case .object(let object):
      [
        "members": .array(
          object.members.map { ["key": .string($0.key), "value": .object(Self.object($0.value))] })
      ]
    case .array(let elements): ["elements": .array(elements.map { .object(object($0)) })]
    case .string(let text): ["text": .string(text)]
    case .bool(let truth): ["truth": .bool(truth)]
    case .integer(let whole): ["whole": .integer(whole)]
    case .number(let number): ["number": .number(number)]
    }
  }

  static func value(_ object: JSONObject) -> JSONValue? {
    if let members = object["members"]?.array {
      return .object(
        JSONObject(
          members.compactMap { member in
            guard let key = member.object?["key"]?.string,
              let value = member.object?["value"]?.object.flatMap(value)
            else { return nil }
            return (key, value)
          }))
    }
    if let elements = object["elements"]?.array {
      return .array(elements.compactMap { $0.object.flatMap(value) })
    }
    if let text = object["text"]?.string { return .string(text) }
    if let truth = object["truth"]?.bool { return .bool(truth) }
    if let whole = object["whole"]?.integer { return .integer(whole) }
    return object["number"]?.number.map { .number($0) } ?? .null
  }
}
