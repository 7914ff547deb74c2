/// What some editors put before a text in UTF-8, where it means nothing.
enum ByteOrderMark {
  static let scalar: Unicode.Scalar = "\u{FEFF}"
  static let bytes: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The text behind it; all of it where there is none.
  static func dropped(from content: [UInt8]) -> ArraySlice<UInt8> {
    content.starts(with: bytes) ? content.dropFirst(bytes.count) : content[...]
  }
}
