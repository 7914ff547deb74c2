/// A value of any D-Bus type. Containers name the type of their elements, since they may be empty.
package indirect enum DBusValue: Hashable, Sendable {
  case byte(UInt8)
  case boolean(Bool)
  case int16(Int16)
  case uint16(UInt16)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  case string(String)
  case objectPath(String)
  case signature(String)
  case descriptor(DBusDescriptor)
  /// An array of bytes, "ay", which is never spelled `array`.
  case bytes([UInt8])
  /// `of` is the signature of one element.
  case array(of: String, [DBusValue])
  /// `of` are the signatures of key and value in a row, such as "sv". Of repeated keys the last one counts.
  case dictionary(of: String, [DBusValue: DBusValue])
  case structure([DBusValue])
  case variant(DBusValue)
}

extension DBusValue {
  /// "a{sv}": the usual set of named options or properties.
  package static func properties(_ values: [String: DBusValue]) -> DBusValue {
    var entries: [DBusValue: DBusValue] = [:]
    for (name, value) in values { entries[.string(name)] = .variant(value) }
    return .dictionary(of: "sv", entries)
  }

  package static func strings(_ values: [String]) -> DBusValue {
    .array(of: "s", values.map { .string($0) })
  }

  package var signature: String {
    switch self {
    case .byte: "y"
    case .boolean: "b"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .signature: "g"
    case .descriptor: "h"
    case .bytes: "ay"
    case .array(let element, _): "a" + element
    case .dictionary(let entry, _): "a{" + entry + "}"
    case .structure(let fields): "(" + fields.map(\.signature).joined() + ")"
    case .variant: "v"
    }
  }
}

// Reading: nil whenever the value is of another type. Variants are looked through.
extension DBusValue {
  /// What a variant, or a variant in a variant, holds; the value itself if it is none.
  package var unwrapped: DBusValue {
    var value = self
    while case .variant(let inner) = value { value = inner }
    return value
  }

  package var text: String? {
    switch unwrapped {
    case .string(let text), .objectPath(let text), .signature(let text): text
    default: nil
    }
  }

  package var flag: Bool? {
    if case .boolean(let flag) = unwrapped { flag } else { nil }
  }

  package var integer: Int? {
    switch unwrapped {
    case .byte(let value): Int(value)
    case .int16(let value): Int(value)
    case .uint16(let value): Int(value)
    case .int32(let value): Int(value)
    case .uint32(let value): Int(value)
    case .int64(let value): Int(exactly: value)
    case .uint64(let value): Int(exactly: value)
    default: nil
    }
  }

  package var byteArray: [UInt8]? {
    if case .bytes(let bytes) = unwrapped { bytes } else { nil }
  }

  package var descriptor: DBusDescriptor? {
    if case .descriptor(let descriptor) = unwrapped { descriptor } else { nil }
  }

  package var elements: [DBusValue]? {
    switch unwrapped {
    case .array(_, let elements), .structure(let elements): elements
    default: nil
    }
  }

  package var entries: [DBusValue: DBusValue]? {
    if case .dictionary(_, let entries) = unwrapped { entries } else { nil }
  }

  /// A dictionary with text keys, such as "a{sv}", its values out of their variants.
  package var namedValues: [String: DBusValue]? {
    guard let entries else { return nil }
    var named: [String: DBusValue] = [:]
    for (key, value) in entries {
      guard let name = key.text else { return nil }
      named[name] = value.unwrapped
    }
    return named
  }
}
