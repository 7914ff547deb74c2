package import FleetModel

/// Writes values as deterministic CBOR (RFC 8949, 4.2.1): shortest heads and numbers, definite lengths, keys in the
/// order of their bytes. Equal values give equal bytes, so that a batch can be known again by them.
package struct CBORWriter: Sendable {
  /// The major types of RFC 8949, 3.1.
  private enum MajorType: UInt8 {
    case unsigned, negative, bytes, text, array, map
  }

  private var bytes: [UInt8] = []

  /// A value as bytes.
  package static func bytes(of value: JSONValue) -> [UInt8] {
    var writer = CBORWriter()
    writer.write(value)
    return writer.bytes
  }

  private mutating func write(_ value: JSONValue) {
    switch value {
    case .null: bytes.append(0xF6)
    case .bool(let value): bytes.append(value ? 0xF5 : 0xF4)
    case .integer(let value): write(value)
    case .number(let value): write(value)
    case .string(let text): write(text)
    case .array(let elements):
      head(.array, UInt64(elements.count))
      for element in elements { write(element) }
    case .object(let object): write(object)
    }
  }

  private mutating func write(_ value: Int64) {
    // -1 - n is what stands for a negative number.
    if value < 0 { head(.negative, UInt64(-1 - value)) } else { head(.unsigned, UInt64(value)) }
  }

  private mutating func write(_ text: String) {
    head(.text, UInt64(text.utf8.count))
    bytes += text.utf8
  }

  private mutating func write(_ object: JSONObject) {
    head(.map, UInt64(object.members.count))
    let members = object.members.map { (key: Self.bytes(of: .string($0.key)), value: $0.value) }
    for member in members.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      bytes += member.key
      write(member.value)
    }
  }

  /// The shortest form that reads back as the same number.
  private mutating func write(_ value: Double) {
    let single = Float(value)
    guard Double(single) == value else { return append(0xFB, value.bitPattern) }
    let half = Float16(single)
    if Float(half) == single { append(0xF9, half.bitPattern) } else { append(0xFA, single.bitPattern) }
  }

  /// A head in its shortest form (RFC 8949, 3).
  private mutating func head(_ type: MajorType, _ count: UInt64) {
    let first = type.rawValue << 5
    switch count {
    case 0..<24: bytes.append(first | UInt8(count))
    case ...UInt64(UInt8.max): append(first | 24, UInt8(count))
    case ...UInt64(UInt16.max): append(first | 25, UInt16(count))
    case ...UInt64(UInt32.max): append(first | 26, UInt32(count))
    default: append(first | 27, count)
    }
  }

  /// A first byte and an argument in network byte order.
  private mutating func append(_ first: UInt8, _ argument: some FixedWidthInteger) {
    bytes.append(first)
    for shift in stride(from: argument.bitWidth - 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: argument >> shift))
    }
  }
}
