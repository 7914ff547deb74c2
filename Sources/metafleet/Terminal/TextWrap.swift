/// Prose in lines of a bounded width.
enum TextWrap {
  /// Lines of at most `width` columns, unless a word is longer: the first begins with `margin`, the others with
  /// `hanging`.
  static func lines(_ text: String, width: Int, margin: String = "", hanging: String? = nil) -> [String] {
    var lines: [String] = []
    var current = margin
    var isFresh = true
    for word in text.split(separator: " ") {
      if !isFresh, TextWidth.of(current) + 1 + TextWidth.of(String(word)) > width {
        lines.append(current)
        current = hanging ?? margin
        isFresh = true
      }
      current += (isFresh ? "" : " ") + word
      isFresh = false
    }
    lines.append(current)
    return lines
  }
}
