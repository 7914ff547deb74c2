/// What stands on a whole screen, so that a new picture writes only the lines that changed.
struct ScreenFrame: Sendable {
  private var shown: [String] = []
  private var size: TerminalSize?

  /// What to write so that the screen shows these lines, each of which fits its width. After a resize everything is
  /// drawn anew, for the terminal has moved what stood there.
  mutating func update(_ lines: [String], _ newSize: TerminalSize) -> String {
    let new = Array(lines.prefix(newSize.rows))
    var text = ""
    if size != newSize {
      text = "\u{1B}[2J"
      shown = []
      size = newSize
    }
    for row in 0..<max(new.count, shown.count) {
      let line = row < new.count ? new[row] : ""
      if row < shown.count ? shown[row] == line : line.isEmpty { continue }
      text += "\u{1B}[\(row + 1);1H\(line)\u{1B}[K"
    }
    shown = new
    return text
  }
}
