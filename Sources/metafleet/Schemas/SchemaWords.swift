import FleetModel

/// What a schema allows, in a few words for people.
enum SchemaWords {
  private static let longest = 12

  static func of(_ schema: JSONObject) -> String {
    if let value = schema["const"] { return "`\(plain(value))`" }
    if let values = schema["enum"]?.array ?? constants(schema) {
      let words = values.prefix(longest).map { "`\(plain($0))`" }.joined(separator: " ")
      return values.count > longest ? words + " …" : words
    }
    let type = schema["type"]?.string ?? "any"
    switch type {
    case "array": return "list" + (schema["items"]?.object.map { " of \(of($0))" } ?? "")
    case "object": return schema["properties"]?.object.map { "object: \(keys($0))" } ?? "object"
    default: return type + range(schema)
    }
  }

  /// The words of `oneOf` where each is one.
  private static func constants(_ schema: JSONObject) -> [JSONValue]? {
    schema["oneOf"]?.array?.compactMap { $0.object?["const"] }
  }

  private static func keys(_ properties: JSONObject) -> String {
    properties.keys.map { "`\($0)`" }.joined(separator: " ")
  }

  private static func range(_ schema: JSONObject) -> String {
    switch (schema["minimum"], schema["maximum"]) {
    case (let least?, let most?): " \(plain(least)) to \(plain(most))"
    case (let least?, nil): ", at least \(plain(least))"
    default: ""
    }
  }

  private static func plain(_ value: JSONValue) -> String { value.string ?? JSONText.of(value) }
}
