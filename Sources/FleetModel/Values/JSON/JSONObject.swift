/// The members of a JSON object in the order they were written, which is the order people read them in.
///
/// Equality ignores the order, as JSON does.
public struct JSONObject: Sendable, ExpressibleByDictionaryLiteral {
  /// The keys, first written first.
  public private(set) var keys: [String] = []
  private var values: [String: JSONValue] = [:]

  /// An object without members.
  public init() {}

  /// Takes members in order; of a repeated key the last value counts.
  public init(_ members: some Sequence<(String, JSONValue)>) {
    for (key, value) in members { self[key] = value }
  }

  /// Takes a literal.
  public init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }

  /// The value at `key`; assigning nil removes the member, so that an unknown value is never written as null.
  public subscript(key: String) -> JSONValue? {
    get { values[key] }
    set {
      let old = values.updateValueOrRemove(newValue, forKey: key)
      if newValue == nil {
        if old != nil { keys.removeAll { $0 == key } }
      } else if old == nil {
        keys.append(key)
      }
    }
  }

  /// Whether there are no members.
  public var isEmpty: Bool { keys.isEmpty }

  /// How many members there are.
  public var count: Int { keys.count }

  /// The members in order.
  public var members: [(key: String, value: JSONValue)] {
    keys.compactMap { key in values[key].map { (key, $0) } }
  }

  /// This object with the members of `other` laid over it.
  public func merging(_ other: JSONObject) -> JSONObject {
    var result = self
    for (key, value) in other.members { result[key] = value }
    return result
  }
}

extension JSONObject: Hashable {
  /// Compares the members, whatever their order.
  public static func == (left: JSONObject, right: JSONObject) -> Bool { left.values == right.values }
  /// Hashes the members, whatever their order.
  public func hash(into hasher: inout Hasher) { hasher.combine(values) }
}

extension Dictionary {
  fileprivate mutating func updateValueOrRemove(_ value: Value?, forKey key: Key) -> Value? {
    if let value { updateValue(value, forKey: key) } else { removeValue(forKey: key) }
  }
}
