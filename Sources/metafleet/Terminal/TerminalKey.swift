/// A key as a terminal tells it.
enum TerminalKey: Hashable, Sendable {
  case character(Character)
  case up, down, pageUp, pageDown, home, end
  case enter, escape, backspace
  /// Ctrl-C, where it raises no signal.
  case interrupt

  /// The keys in what was read; sequences that mean nothing here are skipped.
  static func keys(in bytes: [UInt8]) -> [TerminalKey] {
    var keys: [TerminalKey] = []
    var rest = bytes[...]
    while let first = rest.first {
      if first == 0x1B, rest.count == 1 {
        // No sequence follows: it is the key.
        keys.append(.escape)
        rest = []
      } else if first == 0x1B {
        let (key, length) = sequence(rest)
        if let key { keys.append(key) }
        rest = rest.dropFirst(length)
      } else {
        let text = rest.prefix { $0 >= 0x80 }
        keys += text.isEmpty ? key(first).map { [$0] } ?? [] : characters(text)
        rest = rest.dropFirst(max(1, text.count))
      }
    }
    return keys
  }

  /// The key of one byte of ASCII.
  private static func key(_ byte: UInt8) -> TerminalKey? {
    switch byte {
    case 0x03: .interrupt
    case 0x0A, 0x0D: .enter
    case 0x08, 0x7F: .backspace
    case 0x20...0x7E: .character(Character(Unicode.Scalar(byte)))
    default: nil
    }
  }

  /// Letters beyond ASCII. A letter that was read in two halves is lost.
  private static func characters(_ bytes: ArraySlice<UInt8>) -> [TerminalKey] {
    String(decoding: bytes, as: UTF8.self).filter { $0 != "\u{FFFD}" }.map { .character($0) }
  }

  /// A control sequence (ECMA-48: parameters, then one final byte) and how long it is.
  private static func sequence(_ bytes: ArraySlice<UInt8>) -> (TerminalKey?, length: Int) {
    let body = bytes.dropFirst()
    guard let introducer = body.first, introducer == UInt8(ascii: "[") || introducer == UInt8(ascii: "O")
    else {
      return (nil, 1)
    }
    let parameters = body.dropFirst().prefix { (0x20...0x3F).contains($0) }
    guard let final = body.dropFirst(1 + parameters.count).first else { return (nil, bytes.count) }
    return (meaning(of: final, parameters), parameters.count + 3)
  }

  private static func meaning(of final: UInt8, _ parameters: ArraySlice<UInt8>) -> TerminalKey? {
    switch (Character(Unicode.Scalar(final)), parameters.first.map { Character(Unicode.Scalar($0)) }) {
    case ("A", _): .up
    case ("B", _): .down
    case ("H", _), ("~", "1"), ("~", "7"): .home
    case ("F", _), ("~", "4"), ("~", "8"): .end
    case ("~", "5"): .pageUp
    case ("~", "6"): .pageDown
    default: nil
    }
  }
}
