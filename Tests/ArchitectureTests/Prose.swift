/// Comments, titles of tests and documents as a reader sees them: across their lines, and without what begins a line of
/// a comment, a heading or a table.
enum Prose {
  /// Words and signs of `text`, in order. A point or an underscore inside a word belongs to it: `3.10`, `rate_hz`.
  static func words(in text: String) -> [String] {
    var words: [String] = []
    var word: [UInt8] = []
    var isLineStart = true
    let bytes = Array(text.utf8)
    func endWord() {
      guard !word.isEmpty else { return }
      words.append(String(decoding: word, as: UTF8.self))
      word.removeAll(keepingCapacity: true)
    }
    for (place, byte) in bytes.enumerated() {
      if isPart(byte) || byte == point && !word.isEmpty && place + 1 < bytes.count && isPart(bytes[place + 1])
      {
        word.append(byte)
        isLineStart = false
        continue
      }
      endWord()
      if byte == newline { isLineStart = true }
      if isBlank(byte) || isLineStart && isLeader(byte) || byte >= 0x80 && byte != dash { continue }
      words.append(byte == dash ? "–" : String(UnicodeScalar(byte)))
      isLineStart = false
    }
    endWord()
    return words
  }

  private static let point = UInt8(ascii: ".")
  private static let newline = UInt8(ascii: "\n")
  /// What a dash begins with, as other signs of its kind do.
  private static let dash: UInt8 = 0xE2

  private static func isBlank(_ byte: UInt8) -> Bool { byte <= UInt8(ascii: " ") }

  private static func isLeader(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "/"), UInt8(ascii: "#"), UInt8(ascii: "*"), UInt8(ascii: "|"): true
    default: false
    }
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
