/// How far something is, as one line that is drawn over.
struct ProgressBar: Sendable {
  private static let cells = 30
  private let total: Int
  private var done = 0
  private var shown = -1

  init(total: Int) { self.total = max(1, total) }

  /// The line to draw when that much more is done; nil while it looks the same.
  mutating func advance(by count: Int) -> String? {
    done += count
    let percent = min(100, done * 100 / total)
    guard percent != shown else { return nil }
    shown = percent
    let full = percent * Self.cells / 100
    let bar = String(repeating: "#", count: full) + String(repeating: ".", count: Self.cells - full)
    return "\r[\(bar)] \(percent) %"
  }

  /// Takes the line away.
  static let erased = "\r\u{1B}[K"
}
