package import FleetModel

/// A JSON document of the MQTT contract whose fields have types, for who publishes it and for who reads it. Another
/// version may have written it: what is missing, of another type or unknown here reads as nil.
package protocol TypedDocument: Hashable, Sendable {
  /// As it stands on the broker, fields of other versions included.
  var json: JSONObject { get set }
  init(json: JSONObject)
}

/// A field of a document: its key, and the type of what stands there.
package struct DocumentField<Document: TypedDocument, Value: DocumentValue>: Sendable {
  let key: String

  init(_ key: String) { self.key = key }
}

extension TypedDocument {
  /// What stands in a field; nil is left out.
  package internal(set) subscript<Value>(field: DocumentField<Self, Value>) -> Value? {
    get { json[field.key].flatMap { Value(json: $0) } }
    set { json[field.key] = newValue?.json }
  }

  /// Reads a document as it came; nil where it is no JSON object.
  package init?(_ payload: [UInt8]) {
    guard let json = try? StrictJSON.parse(payload, limits: .trusting).object else { return nil }
    self.init(json: json)
  }

  /// With `fields` in their order.
  init(_ fields: (inout Self) -> Void) {
    self.init(json: JSONObject())
    fields(&self)
  }
}

/// What can stand in a field.
package protocol DocumentValue {
  /// Nil where it is something else.
  init?(json: JSONValue)
  var json: JSONValue { get }
}

extension Int: DocumentValue {
  package init?(json: JSONValue) {
    guard let value = json.integer else { return nil }
    self.init(clamping: value)
  }
  package var json: JSONValue { .integer(Int64(self)) }
}

extension Double: DocumentValue {
  package init?(json: JSONValue) {
    guard let value = json.number else { return nil }
    self = value
  }
  package var json: JSONValue { .number(self) }
}

extension Bool: DocumentValue {
  package init?(json: JSONValue) {
    guard let value = json.bool else { return nil }
    self = value
  }
  package var json: JSONValue { .bool(self) }
}

extension String: DocumentValue {
  package init?(json: JSONValue) {
    guard let value = json.string else { return nil }
    self = value
  }
  package var json: JSONValue { .string(self) }
}

/// Milliseconds since 1970.
extension Timestamp: DocumentValue {
  package init?(json: JSONValue) {
    guard let value = json.integer else { return nil }
    self.init(milliseconds: value)
  }
  package var json: JSONValue { .integer(milliseconds) }
}

extension JSONObject: DocumentValue {
  package init?(json: JSONValue) {
    guard let value = json.object else { return nil }
    self = value
  }
  package var json: JSONValue { .object(self) }
}

/// Elements that are something else are left out.
extension Array: DocumentValue where Element: DocumentValue {
  package init?(json: JSONValue) {
    guard let value = json.array else { return nil }
    self = value.compactMap { Element(json: $0) }
  }
  package var json: JSONValue { .array(map(\.json)) }
}

extension BoardID: DocumentValue {
  package init?(json: JSONValue) {
    guard let value = json.string.flatMap({ BoardID($0) }) else { return nil }
    self = value
  }
  package var json: JSONValue { .string(description) }
}

extension DocumentValue where Self: RawRepresentable, RawValue == String {
  package init?(json: JSONValue) {
    guard let value = json.string.flatMap(Self.init(rawValue:)) else { return nil }
    self = value
  }
  package var json: JSONValue { .string(rawValue) }
}

extension LinkPhase: DocumentValue {}
extension ReasonCode: DocumentValue {}
extension Availability.State: DocumentValue {}
extension Availability.Reason: DocumentValue {}
extension StorageCondition: DocumentValue {}
extension EventKind: DocumentValue {}
