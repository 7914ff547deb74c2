/// Writes JSON into a byte buffer that is reused. Sample lanes are written by hand because an encoder costs ten
/// times as much per sample.
package struct JSONWriter: Sendable {
  @usableFromInline package internal(set) var bytes: [UInt8] = []

  package init(reserving capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  /// A document as bytes.
  package static func render(_ object: JSONObject) -> [UInt8] { bytes(of: .object(object)) }

  /// A value as bytes.
  package static func bytes(of value: JSONValue) -> [UInt8] {
    var writer = JSONWriter(reserving: 256)
    writer.write(value)
    return writer.bytes
  }

  /// One value, for people.
  package static func text(of value: JSONValue) -> String {
    var json = JSONWriter()
    json.write(value)
    return String(decoding: json.take(), as: UTF8.self)
  }

  /// Takes the bytes and starts afresh.
  package mutating func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  /// Writes what is JSON already.
  package mutating func raw(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// Writes any value. A number that is not finite has no place in JSON and is written as 0 by nobody: callers
  /// leave such values out; here it becomes the nearest finite number.
  package mutating func write(_ value: JSONValue) {
    switch value {
    case .null: raw("null")
    case .bool(let value): if value { raw("true") } else { raw("false") }
    case .integer(let value): integer(value)
    case .number(let value): number(value)
    case .string(let text): string(text)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        write(element)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let object):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in object.members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        string(member.key)
        bytes.append(UInt8(ascii: ":"))
        write(member.value)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// Writes text that is JSON already.
  package mutating func raw(_ text: [UInt8]) { bytes.append(contentsOf: text) }

  /// Writes a whole number.
  package mutating func integer(_ value: Int64) { tail { $0.integer(value) } }

  /// Writes a number in the shortest form that reads back as the same.
  package mutating func number(_ value: Double) { tail { $0.number(value) } }

  /// Writes a number with at most `decimals` (0 to 6) digits after the point, rounded, without trailing zeros.
  package mutating func fixed(_ value: Double, decimals: Int) {
    tail { $0.fixed(value, decimals: decimals) }
  }

  /// Writes `count` bytes at most through a tail.
  @inlinable package mutating func tail(
    _ count: Int = NumberTail.longestNumber, _ write: (inout NumberTail) -> Void
  ) {
    bytes.append(addingCapacity: count) { output in
      output.withUnsafeMutableBufferPointer { room, used in
        guard let start = room.baseAddress else { return }
        var tail = NumberTail(at: start + used)
        write(&tail)
        used = tail.end - start
      }
    }
  }

  /// Writes text with what JSON and terminals cannot bear escaped.
  package mutating func string(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    contents(text)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes a part of what stands between quotation marks.
  package mutating func contents(_ text: String) {
    var text = text
    text.withUTF8 { text in
      // Most text is plain, and goes in one piece.
      if text.allSatisfy(Self.isPlain) { bytes.append(contentsOf: text) } else { escape(text) }
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") && byte != 0x7F
  }

  private mutating func escape(_ text: UnsafeBufferPointer<UInt8>) {
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""): raw("\\\"")
      case UInt8(ascii: "\\"): raw("\\\\")
      case 0x0A: raw("\\n")
      case 0x09: raw("\\t")
      case 0x0D: raw("\\r")
      case 0..<0x20, 0x7F:
        raw("\\u00")
        let hex = Array("0123456789abcdef".utf8)
        bytes.append(hex[Int(byte >> 4)])
        bytes.append(hex[Int(byte & 15)])
      default: bytes.append(byte)
      }
    }
  }
}
