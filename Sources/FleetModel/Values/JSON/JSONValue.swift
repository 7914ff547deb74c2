/// A JSON value as commands, configurations and documents carry it.
///
/// Whole numbers and fractions are kept apart, because the contract tells `int` from `num`.
public indirect enum JSONValue: Hashable, Sendable {
  /// Only ever read: what we write omits the key instead.
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)

  /// The text, when this is a string.
  public var string: String? { if case .string(let text) = self { text } else { nil } }

  /// The truth value, when this is a Boolean.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The number as an integer: `5` and `5.0` are integers, `5.5` and `"5"` are not.
  public var integer: Int64? {
    switch self {
    case .integer(let value): value
    case .number(let value): Int64(exactly: value)
    default: nil
    }
  }

  /// The number, whole or not.
  public var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  /// The members, when this is an object.
  public var object: JSONObject? { if case .object(let value) = self { value } else { nil } }

  /// The elements, when this is an array.
  public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Takes a literal.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Takes a literal.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// Takes a literal.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// Takes a literal.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Takes a literal.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// Takes a literal.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements))
  }
}
