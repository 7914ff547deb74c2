/// Where one is in a list that is longer than its screen. Pure.
struct ListPosition: Hashable, Sendable {
  /// The first row that is shown.
  private(set) var offset = 0
  private(set) var rows = 1

  /// Takes a key that scrolls; false for others.
  mutating func press(_ key: TerminalKey) -> Bool {
    switch key {
    case .up: offset -= 1
    case .down: offset += 1
    case .pageUp: offset -= rows
    case .pageDown: offset += rows
    case .home: offset = 0
    case .end: offset = .max / 2
    default: return false
    }
    return true
  }

  /// Back to the beginning.
  mutating func rewind() { offset = 0 }

  /// Fits it to a list of `count` rows of which `rows` are shown.
  mutating func fit(_ count: Int, in rows: Int) {
    self.rows = max(1, rows)
    offset = max(0, min(offset, count - self.rows))
  }

  /// `14–26 of 60  `; empty where all rows are shown.
  func text(of count: Int) -> String {
    count <= rows ? "" : "\(offset + 1)–\(offset + rows) of \(count)  "
  }
}
