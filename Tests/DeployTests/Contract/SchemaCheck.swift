import FleetModel

/// Judges JSON by a schema: as much of draft 2020-12 as our schemas use. A keyword it does not know is a problem, too.
struct SchemaCheck {
  private let root: JSONObject

  init(_ root: JSONObject) { self.root = root }

  /// What is wrong with `value`, with the place; empty when nothing is.
  func problems(of value: JSONValue) -> [String] { problems(of: value, by: root, at: "$") }

  private static let remarks: Set<String> = [
    "$schema", "$defs", "title", "description", "default", "examples", "then", "additionalProperties",
  ]

  private func problems(of value: JSONValue, by schema: JSONObject, at place: String) -> [String] {
    schema.members.flatMap { keyword, wanted -> [String] in
      if let found = general(keyword, wanted, value, schema, place) { return found }
      if let found = object(keyword, wanted, value, schema, place) { return found }
      if let isRight = plain(keyword, wanted, value) {
        return isRight ? [] : ["\(place) breaks \(keyword) \(wanted)"]
      }
      return Self.remarks.contains(keyword) ? [] : ["the schema has the unknown keyword \(keyword)"]
    }
  }

  private func general(
    _ keyword: String, _ wanted: JSONValue, _ value: JSONValue, _ schema: JSONObject, _ place: String
  ) -> [String]? {
    func fitting(_ schemas: JSONValue) -> Int {
      (schemas.array ?? []).count { problems(of: value, by: $0.object ?? [:], at: place).isEmpty }
    }
    switch keyword {
    case "$ref": return problems(of: value, by: definition(wanted.string ?? ""), at: place)
    case "anyOf": return fitting(wanted) > 0 ? [] : ["\(place) fits none of anyOf"]
    case "oneOf": return fitting(wanted) == 1 ? [] : ["\(place) fits \(fitting(wanted)) of oneOf"]
    case "allOf":
      return (wanted.array ?? []).flatMap { problems(of: value, by: $0.object ?? [:], at: place) }
    case "if":
      let applies = problems(of: value, by: wanted.object ?? [:], at: place).isEmpty
      return applies ? problems(of: value, by: schema["then"]?.object ?? [:], at: place) : []
    default: return nil
    }
  }

  private func object(
    _ keyword: String, _ wanted: JSONValue, _ value: JSONValue, _ schema: JSONObject, _ place: String
  ) -> [String]? {
    switch keyword {
    case "properties":
      let members = value.object?.members ?? []
      return members.flatMap { key, member -> [String] in
        let inner = "\(place).\(key)"
        if let property = wanted.object?[key]?.object { return problems(of: member, by: property, at: inner) }
        return further(schema["additionalProperties"], member, inner)
      }
    case "additionalProperties" where schema["properties"] == nil:
      return (value.object?.members ?? []).flatMap { further(wanted, $0.value, "\(place).\($0.key)") }
    case "required":
      guard let object = value.object else { return [] }
      return (wanted.array ?? []).compactMap { key in
        object[key.string ?? ""] == nil ? "\(place) lacks \(key.string ?? "")" : nil
      }
    case "items":
      return (value.array ?? []).enumerated().flatMap {
        problems(of: $0.element, by: wanted.object ?? [:], at: "\(place)[\($0.offset)]")
      }
    default: return nil
    }
  }

  private func further(_ schema: JSONValue?, _ value: JSONValue, _ place: String) -> [String] {
    if schema?.bool == false { return ["\(place) is not known"] }
    return schema?.object.map { problems(of: value, by: $0, at: place) } ?? []
  }

  private func plain(_ keyword: String, _ wanted: JSONValue, _ value: JSONValue) -> Bool? {
    switch keyword {
    case "type": (wanted.array ?? [wanted]).contains { Self.isOf(type: $0.string ?? "", value) }
    case "enum": (wanted.array ?? []).contains(value)
    case "const": wanted == value
    case "minimum": value.number.map { $0 >= wanted.number ?? 0 } ?? true
    case "maximum": value.number.map { $0 <= wanted.number ?? 0 } ?? true
    case "minLength": value.string.map { $0.unicodeScalars.count >= Int(wanted.integer ?? 0) } ?? true
    case "maxLength": value.string.map { $0.unicodeScalars.count <= Int(wanted.integer ?? 0) } ?? true
    case "minItems": value.array.map { $0.count >= Int(wanted.integer ?? 0) } ?? true
    case "maxItems": value.array.map { $0.count <= Int(wanted.integer ?? 0) } ?? true
    case "maxProperties": value.object.map { $0.count <= Int(wanted.integer ?? 0) } ?? true
    case "pattern":
      value.string.map { text in (try? Regex(wanted.string ?? "")).map { text.contains($0) } ?? false }
        ?? true
    default: nil
    }
  }

  private static func isOf(type: String, _ value: JSONValue) -> Bool {
    switch type {
    case "object": value.object != nil
    case "array": value.array != nil
    case "string": value.string != nil
    case "boolean": value.bool != nil
    case "integer": value.integer != nil
    case "number": value.number != nil
    case "null": value == .null
    default: false
    }
  }

  /// A definition of the root: `#/$defs/args`.
  private func definition(_ reference: String) -> JSONObject {
    reference.split(separator: "/").dropFirst().reduce(root) { $0[String($1)]?.object ?? [:] }
  }
}
