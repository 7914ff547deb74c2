/// Whether the thread that reads packets stalled, seen from a tick that should come regularly.
struct StallDetector: Sendable {
  /// A tick this late means a stall.
  static let tolerance = Duration.milliseconds(500)

  private var lastTick: Duration?
  /// When the last late tick came.
  private var lastDelay: Duration?

  /// Takes a tick. Returns whether it came in time.
  mutating func tick(at now: Duration, period: Duration) -> Bool {
    defer { lastTick = now }
    guard let lastTick, now - lastTick > period + Self.tolerance else { return true }
    lastDelay = now
    return false
  }

  /// No ticks are due from now on; the next one is the first again.
  mutating func stop() { lastTick = nil }

  /// Whether any tick since `start` was late.
  func wasStalled(since start: Duration) -> Bool { lastDelay.map { $0 >= start } ?? false }
}
