import FleetModel

/// What a file that holds a secret says: its first line, as editors and shells leave it (fault F253). Whatever cannot
/// be meant as one is refused with what to do about it; the content is never shown. Pure.
enum SecretText {
  private static let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))

  /// The first line, without the byte order mark that some editors put before it. `place` is where it comes from.
  static func firstLine(of content: [UInt8], in place: String) throws(Refusal) -> [UInt8] {
    if content.starts(with: [0xFF, 0xFE]) || content.starts(with: [0xFE, 0xFF]) {
      throw Refusal("\(place) is UTF-16 text; save it as UTF-8")
    }
    let text = ByteOrderMark.dropped(from: content)
    let line = text.prefix { $0 != lineFeed && $0 != carriageReturn }
    if line.contains(0) { throw Refusal("\(place) holds no text but binary data") }
    if line.starts(with: Array("-----BEGIN ".utf8)) {
      throw Refusal("\(place) holds a certificate or a key; its first line must be the secret itself")
    }
    guard line.allSatisfy(isBlank) else { return Array(line) }
    throw Refusal(
      text.allSatisfy { isBlank($0) || $0 == lineFeed || $0 == carriageReturn }
        ? "\(place) is empty; its first line must be the secret"
        : "the first line of \(place) is blank; the secret must stand there")
  }

  /// What to be warned of: blanks at its ends, which count, and are seldom meant.
  static func warning(of secret: [UInt8], in place: String) -> String? {
    guard let first = secret.first, let last = secret.last, isBlank(first) || isBlank(last) else {
      return nil
    }
    return
      "the first line of \(place) begins or ends with a blank, which is part of the secret; remove it if it is not"
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }
}
