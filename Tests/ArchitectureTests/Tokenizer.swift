/// Takes Swift source apart into words and signs. Comments and what literals say are left out, so that no rule is
/// broken by a sentence; expressions inside literals stay.
struct Tokenizer {
  private let source: [UInt8]
  private var position = 0
  /// Where the last token ended.
  private var end = -1
  private var tokens: [Token] = []
  /// What literals say, without the expressions inside.
  private var literals: [String] = []

  static func literals(of source: String) -> [String] {
    var tokenizer = Tokenizer(source: Array(source.utf8))
    tokenizer.readCode(isInterpolation: false)
    return tokenizer.literals
  }

  static func tokens(of source: String) -> [Token] {
    var tokenizer = Tokenizer(source: Array(source.utf8))
    tokenizer.readCode(isInterpolation: false)
    return tokenizer.tokens
  }

  private mutating func readCode(isInterpolation: Bool) {
    var depth = 0
    while let byte = byte(ahead: 0) {
      switch byte {
      case UInt8(ascii: "/") where self.byte(ahead: 1) == UInt8(ascii: "/"): skipLine()
      case UInt8(ascii: "/") where self.byte(ahead: 1) == UInt8(ascii: "*"): skipBlockComment()
      case UInt8(ascii: "\""), UInt8(ascii: "#"):
        if let hashes = hashesOfLiteral() { readLiteral(hashes: hashes) } else { take(1) }
      case UInt8(ascii: "("):
        depth += 1
        take(1)
      case UInt8(ascii: ")"):
        depth -= 1
        if isInterpolation, depth < 0 { return }
        take(1)
      case UInt8(ascii: "`"): take(lengthOfRawIdentifier())
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\t"), UInt8(ascii: "\r"): position += 1
      default: take(max(1, lengthOfWord()))
      }
    }
  }

  private mutating func skipLine() {
    while let byte = byte(ahead: 0), byte != UInt8(ascii: "\n") { position += 1 }
  }

  private mutating func skipBlockComment() {
    var depth = 0
    repeat {
      let (isOpening, isClosing) = (at("/*"), at("*/"))
      depth += isOpening ? 1 : isClosing ? -1 : 0
      position += isOpening || isClosing ? 2 : 1
    } while depth > 0 && position < source.count
  }

  /// How many `#` stand before the quotation mark here; nil where no literal begins.
  private func hashesOfLiteral() -> Int? {
    var hashes = 0
    while byte(ahead: hashes) == UInt8(ascii: "#") { hashes += 1 }
    return byte(ahead: hashes) == UInt8(ascii: "\"") ? hashes : nil
  }

  private mutating func readLiteral(hashes: Int) {
    position += hashes
    let quotes = at("\"\"\"") ? "\"\"\"" : "\""
    let fence = String(repeating: "#", count: hashes)
    position += quotes.utf8.count
    var said: [UInt8] = []
    defer { literals.append(String(decoding: said, as: UTF8.self)) }
    while position < source.count, !at(quotes + fence) {
      guard at("\\" + fence) else {
        said.append(source[position])
        position += 1
        continue
      }
      // An escape or an expression ends a word.
      said.append(UInt8(ascii: " "))
      position += 1 + hashes
      let isInterpolation = at("(")
      position += 1
      guard isInterpolation else { continue }
      readCode(isInterpolation: true)
      position += 1
    }
    position = min(position + quotes.utf8.count + hashes, source.count)
    end = position
  }

  /// With its accents: a test's name is one token, whatever its sentence says.
  private func lengthOfRawIdentifier() -> Int {
    let rest = source[(position + 1)...]
    return (rest.firstIndex(of: UInt8(ascii: "`")) ?? source.count - 1) - position + 1
  }

  private func lengthOfWord() -> Int {
    var length = 0
    while let byte = byte(ahead: length), Self.isPartOfWord(byte) { length += 1 }
    return length
  }

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"), 0x80...0xFF:
      true
    default: false
    }
  }

  private mutating func take(_ length: Int) {
    let stop = min(position + length, source.count)
    tokens.append(
      Token(text: String(decoding: source[position..<stop], as: UTF8.self), isGlued: position == end))
    position = stop
    end = stop
  }

  private func byte(ahead: Int) -> UInt8? {
    position + ahead < source.count ? source[position + ahead] : nil
  }

  private func at(_ text: String) -> Bool { source[min(position, source.count)...].starts(with: text.utf8) }
}
