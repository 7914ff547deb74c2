/// Whether the thread that reads packets was held up, seen from a beat that should come regularly.
struct Punctuality: Sendable {
  /// A beat this late was held up.
  static let tolerance = Duration.milliseconds(500)

  private var lastBeat: Duration?
  /// When the last late beat came.
  private var lastDelay: Duration?

  /// Takes a beat. Returns whether it came in time.
  mutating func beat(at now: Duration, period: Duration) -> Bool {
    defer { lastBeat = now }
    guard let lastBeat, now - lastBeat > period + Self.tolerance else { return true }
    lastDelay = now
    return false
  }

  /// No beats are due from now on; the next one is the first again.
  mutating func rest() { lastBeat = nil }

  /// Whether any beat since `start` was late.
  func wasHeldUp(since start: Duration) -> Bool { lastDelay.map { $0 >= start } ?? false }
}
