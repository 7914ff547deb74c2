import FleetModel

/// A key of a document, as its JSON Schema says it.
struct SchemaKey {
  let name: String
  let schema: JSONObject
  let isAlwaysThere: Bool

  /// A key that is always there.
  static func always(_ name: String, _ form: Form, _ summary: String) -> SchemaKey {
    SchemaKey(name: name, schema: form.schema(summary), isAlwaysThere: true)
  }

  /// A key that is left out where nothing is known, or where it does not apply.
  static func known(_ name: String, _ form: Form, _ summary: String) -> SchemaKey {
    SchemaKey(name: name, schema: form.schema(summary), isAlwaysThere: false)
  }

  /// What stands at a key.
  enum Form {
    case text, texts, number, integer, truth
    /// Twelve hexadecimal digits: of a board or an adapter.
    case address
    /// Lists of such.
    case addresses
    /// Milliseconds since 1970.
    case time
    /// A number of things, from 0.
    case count
    /// 0 or 1.
    case flag
    case words([String])
    case other(JSONObject)

    func schema(_ summary: String) -> JSONObject { base.merging(["description": .string(summary)]) }

    var base: JSONObject {
      switch self {
      case .text: ["type": "string"]
      case .texts: ["type": "array", "items": ["type": "string"]]
      case .number: ["type": "number"]
      case .integer, .time: ["type": "integer"]
      case .truth: ["type": "boolean"]
      case .address: ["type": "string", "pattern": "^[0-9a-f]{12}$"]
      case .addresses: ["type": "array", "items": .object(Form.address.base)]
      case .count: ["type": "integer", "minimum": 0]
      case .flag: ["enum": [0, 1]]
      case .words(let words): ["enum": .array(words.map { .string($0) })]
      case .other(let schema): schema
      }
    }

    /// One of the words of a type.
    static func words<Word: RawRepresentable & CaseIterable>(of _: Word.Type) -> Form
    where Word.RawValue == String {
      .words(Word.allCases.map(\.rawValue))
    }
  }
}

extension SchemaKey {
  /// The schema of an object with these keys; later versions may add some (MQTT contract 0).
  static func object(_ keys: [SchemaKey]) -> JSONObject {
    var schema: JSONObject = ["type": "object"]
    let required = keys.filter(\.isAlwaysThere).map { JSONValue.string($0.name) }
    if !required.isEmpty { schema["required"] = .array(required) }
    schema["properties"] = .object(JSONObject(keys.map { ($0.name, .object($0.schema)) }))
    return schema
  }

  /// The schema of a document with these keys, and what holds between them.
  static func document(_ title: String, _ keys: [SchemaKey], _ rules: [JSONValue] = []) -> JSONObject {
    var schema: JSONObject = ["$schema": .string(JSONSchema.dialect), "title": .string(title)]
    schema = schema.merging(object(keys))
    if !rules.isEmpty { schema["allOf"] = .array(rules) }
    return schema
  }
}

/// What holds between the keys of a document.
enum SchemaRule {
  /// Two keys of which neither is there without the other.
  static func together(_ one: String, _ other: String) -> [JSONValue] {
    [implies(one, other), implies(other, one)]
  }

  /// The second key is there wherever the first one is.
  static func implies(_ one: String, _ other: String) -> JSONValue {
    ["if": ["required": [.string(one)]], "then": ["required": [.string(other)]]]
  }

  /// Where `key` has that value, `then` holds.
  static func when(_ key: String, is value: JSONValue, _ then: JSONObject) -> JSONValue {
    ["if": ["properties": .object([key: ["const": value]])], "then": .object(then)]
  }
}
