package import FleetModel

/// Documents and payloads that follow from a seed.
package enum GeneratedJSON {
  /// Any object without null; numbers with a fraction where they are not integers, so that it reads back as equal.
  package static func object(depth: Int, using random: inout SeededGenerator) -> JSONObject {
    let count = Int(random.next() % 6)
    return JSONObject(
      (0..<count).map { ("\(text(using: &random))\($0)", value(depth: depth - 1, using: &random)) })
  }

  private static func value(depth: Int, using random: inout SeededGenerator) -> JSONValue {
    switch random.next() % (depth > 0 ? 6 : 4) {
    case 0: .bool(random.next() % 2 == 0)
    case 1: .integer(Int64(bitPattern: random.next()) >> Int64(random.next() % 64))
    case 2: .number(random.fraction() + 0.5 * Double(random.next() % 1_000) + 0.001)
    case 3: .string(text(using: &random))
    case 4:
      .array((0..<Int(random.next() % 4)).map { _ in value(depth: depth - 1, using: &random) })
    default: .object(object(depth: depth - 1, using: &random))
    }
  }

  private static let scalars: [Unicode.Scalar] = [
    "a", "Z", "0", " ", "\"", "\\", "/", "\n", "\u{1}", "\u{1B}", "\u{7F}", "\u{80}", "é", "\u{301}",
    "\u{202E}", "\u{2028}", "🏭", "\u{10FFFF}",
  ]

  static func text(using random: inout SeededGenerator) -> String {
    var text = ""
    for _ in 0..<Int(random.next() % 8) {
      text.unicodeScalars.append(scalars[Int(random.next() % UInt64(scalars.count))])
    }
    return text
  }

  /// A payload that somebody means ill with: noise, valid requests with something broken, and things that grow.
  package static func hostilePayload(using random: inout SeededGenerator) -> [UInt8] {
    switch random.next() % 10 {
    case 0: return (0..<Int(random.next() % 400)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    case 1:
      let alphabet = Array(#"{}[]":,\u0123eE+-.truefalsn "#.utf8)
      let noise = (0..<Int(random.next() % 400)).map { _ in
        alphabet[Int(random.next() % UInt64(alphabet.count))]
      }
      return [UInt8(ascii: "{")] + noise
    case 2:
      let depth = Int(random.next() % 9_000)
      return repeated(#"{"a":"#, depth) + repeated("}", Int(random.next() % 9_000))
    case 3: return Array(#"{"args":"#.utf8) + repeated("[", Int(random.next() % 20_000))
    case 4: return Array(#"{"id":""#.utf8) + repeated("x", Int(random.next() % 20_000)) + Array("\"}".utf8)
    case 5:
      let members = (0..<Int(random.next() % 600)).map { #""k\#($0)":\#($0)"# }
      return Array("{\(members.joined(separator: ","))}".utf8)
    case 6: return Array(#"{"args":{"n":\#(number(using: &random))}}"#.utf8)
    default: return mutated(using: &random)
    }
  }

  private static func repeated(_ text: String, _ count: Int) -> [UInt8] {
    Array(String(repeating: text, count: count).utf8)
  }

  private static func number(using random: inout SeededGenerator) -> String {
    let parts = [
      "-", "+", "0", "1", "9", ".", "e", "E", "00", "1e999", "-0", "NaN", "Infinity", "0x1", "1e-999",
    ]
    return (0..<Int(random.next() % 6)).map { _ in parts[Int(random.next() % UInt64(parts.count))] }.joined()
  }

  private static let requests = [
    #"{"id":"01JDB8ZK","args":{"color":"green","pattern":"blink"},"mode":"now","expires_ms":1763671294567}"#,
    #"{"state":"ON","color":{"r":255,"g":0,"b":0},"brightness":128,"effect":"breathe"}"#,
    #"{"args":{"stream":"acceleration","rate_hz":100,"range_g":4,"for_s":60},"issued_ms":1763671234000}"#,
    #"{"args":{"channels":{"blue":{"high":16,"low":16,"repeat":5}}},"mode":"queue"}"#,
    #"{"args":{"what":"\u0074emperature","source":"die\ud83c\udfed"}}"#,
  ]

  private static func mutated(using random: inout SeededGenerator) -> [UInt8] {
    var bytes = Array(requests[Int(random.next() % UInt64(requests.count))].utf8)
    for _ in 0...Int(random.next() % 4) {
      let place = Int(random.next() % UInt64(bytes.count))
      switch random.next() % 5 {
      case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
      case 3: bytes = Array(bytes[..<place]) + Array(bytes[..<place]) + Array(bytes[place...])
      default: bytes = Array(bytes[..<place])
      }
      if bytes.isEmpty { return [0] }
    }
    return bytes
  }
}
