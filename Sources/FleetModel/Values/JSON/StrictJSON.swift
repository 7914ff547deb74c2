/// Why a payload is not an acceptable JSON document.
package struct JSONProblem: Error, Hashable, Sendable {
  /// One sentence for a person.
  package let message: String
  /// Where, in bytes from the start.
  package let offset: Int
}

/// Bounds for documents from outside (MQTT contract 9).
package struct JSONLimits: Sendable {
  package var bytes = 16 * 1024
  package var depth = 8
  package var keys = 256
  package var stringBytes = 4 * 1024

  package init() {}

  /// For documents of our own making.
  package static let trusting: JSONLimits = {
    var limits = JSONLimits()
    limits.bytes = 1 << 20
    limits.depth = 32
    limits.keys = 100_000
    limits.stringBytes = 1 << 20
    return limits
  }()
}

/// Reads JSON and nothing but JSON: RFC 8259 with duplicate keys, invalid UTF-8, NUL characters, unpaired
/// surrogates and numbers beyond a double refused, within limits that are checked while reading.
package struct StrictJSON {
  private let bytes: [UInt8]
  private let limits: JSONLimits
  private var position = 0
  private var keysSeen = 0

  /// Reads one document.
  package static func parse(
    _ bytes: [UInt8], limits: JSONLimits = JSONLimits()
  ) throws(JSONProblem) -> JSONValue {
    guard bytes.count <= limits.bytes else {
      throw JSONProblem(
        message: "the payload has \(bytes.count) bytes; \(limits.bytes) are allowed", offset: 0)
    }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw JSONProblem(message: "the payload is not valid UTF-8", offset: 0)
    }
    var parser = StrictJSON(bytes: bytes, limits: limits)
    parser.skipBlanks()
    let value = try parser.value(depth: 1)
    parser.skipBlanks()
    guard parser.position == bytes.count else {
      throw parser.problem("there is text after the end of the document")
    }
    return value
  }

  private init(bytes: [UInt8], limits: JSONLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  private func problem(_ message: String) -> JSONProblem { JSONProblem(message: message, offset: position) }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  private mutating func value(depth: Int) throws(JSONProblem) -> JSONValue {
    switch next {
    case UInt8(ascii: "{"): return try .object(object(depth: depth))
    case UInt8(ascii: "["): return try .array(array(depth: depth))
    case UInt8(ascii: "\""): return try .string(string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case .some(UInt8(ascii: "-")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return try number()
    case nil: throw problem("the document ends too early")
    default: throw problem("a value was expected")
    }
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONProblem) -> JSONValue {
    let fits = word.withUTF8Buffer { bytes[position...].starts(with: $0) }
    guard fits else { throw problem("a value was expected") }
    position += word.utf8CodeUnitCount
    return value
  }

  private mutating func object(depth: Int) throws(JSONProblem) -> JSONObject {
    guard depth <= limits.depth else { throw problem("nested deeper than \(limits.depth)") }
    position += 1
    var object = JSONObject()
    skipBlanks()
    if take(UInt8(ascii: "}")) { return object }
    while true {
      skipBlanks()
      guard next == UInt8(ascii: "\"") else { throw problem("a key was expected") }
      let key = try string()
      keysSeen += 1
      guard keysSeen <= limits.keys else { throw problem("more than \(limits.keys) keys") }
      guard object[key] == nil else { throw problem("a key occurs twice in one object") }
      skipBlanks()
      guard take(UInt8(ascii: ":")) else { throw problem("a colon was expected") }
      skipBlanks()
      object[key] = try value(depth: depth + 1)
      skipBlanks()
      if take(UInt8(ascii: ",")) { continue }
      guard take(UInt8(ascii: "}")) else { throw problem("a comma or } was expected") }
      return object
    }
  }

  private mutating func array(depth: Int) throws(JSONProblem) -> [JSONValue] {
    guard depth <= limits.depth else { throw problem("nested deeper than \(limits.depth)") }
    position += 1
    var elements: [JSONValue] = []
    skipBlanks()
    if take(UInt8(ascii: "]")) { return elements }
    while true {
      skipBlanks()
      elements.append(try value(depth: depth + 1))
      skipBlanks()
      if take(UInt8(ascii: ",")) { continue }
      guard take(UInt8(ascii: "]")) else { throw problem("a comma or ] was expected") }
      return elements
    }
  }

  private mutating func number() throws(JSONProblem) -> JSONValue {
    let start = position
    var isWhole = true
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) { try digits() }
    if take(UInt8(ascii: ".")) {
      isWhole = false
      try digits()
    }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      isWhole = false
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try digits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isWhole, let whole = Int64(text) { return .integer(whole) }
    guard let value = Double(text), value.isFinite else { throw problem("a number is out of range") }
    return .number(value)
  }

  private mutating func digits() throws(JSONProblem) {
    let start = position
    while let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
    guard position > start else { throw problem("a digit was expected") }
  }

  private mutating func string() throws(JSONProblem) -> String {
    position += 1
    var text: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard text.count <= limits.stringBytes else {
          throw problem("a string is longer than \(limits.stringBytes) bytes")
        }
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): text.append(contentsOf: try escape())
      case 0..<0x20: throw problem("a control character stands in a string")
      default: text.append(byte)
      }
    }
    throw problem("a string does not end")
  }

  private mutating func escape() throws(JSONProblem) -> [UInt8] {
    guard let byte = next else { throw problem("a string does not end") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"): return Array(String(Character(try unicodeEscape())).utf8)
    default: throw problem("an unknown escape")
    }
  }

  private mutating func unicodeEscape() throws(JSONProblem) -> Unicode.Scalar {
    let first = try hexUnit()
    guard first != 0 else { throw problem("the character U+0000 is not allowed") }
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard (0xD800..<0xDC00).contains(first), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
      throw problem("an unpaired surrogate")
    }
    let second = try hexUnit()
    guard (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
    else { throw problem("an unpaired surrogate") }
    return scalar
  }

  private mutating func hexUnit() throws(JSONProblem) -> UInt16 {
    guard position + 4 <= bytes.count else { throw problem("a string does not end") }
    var unit: UInt16 = 0
    for byte in bytes[position..<position + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw problem("four hex digits were expected")
      }
      unit = unit << 4 | UInt16(digit)
    }
    position += 4
    return unit
  }
}
