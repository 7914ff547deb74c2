/// Lines that are drawn over again in place, below what the terminal showed before.
struct LiveScreen {
  private var drawn = 0
  private var lastSize: TerminalSize?

  /// Columns there are.
  var width: Int { TerminalSize.current.columns }

  /// Draws the lines over those of the last time, in one write, so that nothing flickers.
  mutating func draw(_ lines: [String]) throws(OutputFailure) {
    try Console.write(frame(lines, TerminalSize.current))
  }

  /// What to write to a terminal of that size.
  mutating func frame(_ lines: [String], _ size: TerminalSize) -> String {
    let room = max(1, size.rows - 1)
    var shown = lines
    if lines.count > room { shown = lines.prefix(room - 1) + ["… \(lines.count - room + 1) more"] }
    var text = drawn > 0 ? "\u{1B}[\(min(drawn, room))A\r" : "\r"
    // The terminal has wrapped what stood there, so nobody knows where it is now.
    if let lastSize, size != lastSize { text = "\u{1B}[2J\u{1B}[H" }
    lastSize = size
    for line in shown { text += line + "\u{1B}[K\n" }
    drawn = shown.count
    return text + "\u{1B}[J"
  }
}
