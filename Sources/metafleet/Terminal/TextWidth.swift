/// How many columns text takes on a terminal.
enum TextWidth {
  /// Columns of a text: marks take none, East Asian characters and emoji two.
  static func of(_ text: String) -> Int { text.reduce(0) { $0 + of($1) } }

  private static func of(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    if first.properties.generalCategory == .nonspacingMark { return 0 }
    // A variation selector has what stands before it drawn as an emoji.
    return isWide(first) || character.unicodeScalars.contains("\u{FE0F}") ? 2 : 1
  }

  /// Emoji, and the blocks that terminals draw two columns wide (Unicode, East Asian Width W and F, by block).
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.properties.isEmojiPresentation { return true }
    return switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF,
      0x20000...0x3FFFD:
      true
    default: false
    }
  }

  /// The beginning of a text that fits, with an ellipsis where something is cut off.
  static func cut(_ text: String, to width: Int) -> String {
    guard of(text) > width else { return text }
    var kept = ""
    var used = 0
    for character in text {
      let columns = of(character)
      if used + columns > width - 1 { break }
      kept.append(character)
      used += columns
    }
    return width > 0 ? kept + "…" : ""
  }
}
