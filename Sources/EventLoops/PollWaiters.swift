/// Who sleeps until a loop has polled its descriptors. For few sleepers: a ticker, not every board.
struct PollWaiters: Sendable {
  typealias Instant = EventLoop.Instant

  private var waiting: [(sleeper: Sleeper, from: Instant)] = []

  /// Those who were woken otherwise are forgotten.
  mutating func add(_ sleeper: Sleeper, from instant: Instant) {
    waiting.removeAll { $0.sleeper.isOver }
    waiting.append((sleeper, instant))
  }

  /// Takes those who are to be woken by a look at this time.
  mutating func takeDue(at now: Instant) -> [Sleeper] {
    guard waiting.contains(where: { $0.from <= now }) else { return [] }
    defer { waiting.removeAll { $0.from <= now } }
    return waiting.filter { $0.from <= now }.map(\.sleeper)
  }
}
