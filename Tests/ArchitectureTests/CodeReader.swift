/// Tells code from comments and literals, so that a rule is not broken by a word in a sentence.
struct CodeReader {
  private let source: [UInt8]
  private var position = 0
  private var code: [UInt8] = []

  /// `source` with comments left out and literals emptied; interpolated expressions and line breaks stay.
  static func code(of source: String) -> String {
    var reader = CodeReader(source: Array(source.utf8))
    reader.readCode(isInterpolation: false)
    return String(decoding: reader.code, as: UTF8.self)
  }

  private mutating func readCode(isInterpolation: Bool) {
    var depth = 0
    while position < source.count {
      if at("//") {
        while position < source.count, source[position] != UInt8(ascii: "\n") { position += 1 }
      } else if at("/*") {
        skipBlockComment()
      } else if let hashes = hashesOfLiteral() {
        position += hashes
        readLiteral(hashes: hashes)
      } else {
        if at("(") { depth += 1 }
        if at(")") { depth -= 1 }
        if isInterpolation, depth < 0 { return }
        keep()
      }
    }
  }

  private mutating func skipBlockComment() {
    var depth = 0
    repeat {
      if at("/*") { depth += 1 }
      if at("*/") { depth -= 1 }
      if at("\n") { code.append(source[position]) }
      position += at("/*") || at("*/") ? 2 : 1
    } while depth > 0 && position < source.count
  }

  /// How many `#` stand before the quotation mark here; nil where no literal begins.
  private func hashesOfLiteral() -> Int? {
    var hashes = 0
    while at("#", ahead: hashes) { hashes += 1 }
    return at("\"", ahead: hashes) ? hashes : nil
  }

  private mutating func readLiteral(hashes: Int) {
    let quotes = at("\"\"\"") ? "\"\"\"" : "\""
    let fence = String(repeating: "#", count: hashes)
    let escape = "\\" + fence
    position += quotes.utf8.count
    code += Array("\"".utf8)
    while position < source.count, !at(quotes + fence) {
      if at(escape + "(") {
        position += escape.utf8.count
        keep()
        readCode(isInterpolation: true)
        keep()
      } else if at(escape) {
        position += escape.utf8.count + 1
      } else {
        if at("\n") { code.append(source[position]) }
        position += 1
      }
    }
    position = min(position + quotes.utf8.count + hashes, source.count)
    code += Array("\"".utf8)
  }

  private mutating func keep() {
    guard position < source.count else { return }
    code.append(source[position])
    position += 1
  }

  private func at(_ text: String, ahead: Int = 0) -> Bool {
    let start = position + ahead
    guard start + text.utf8.count <= source.count else { return false }
    var index = start
    for byte in text.utf8 {
      guard source[index] == byte else { return false }
      index += 1
    }
    return true
  }
}
