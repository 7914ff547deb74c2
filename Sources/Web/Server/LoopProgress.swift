package import EventLoops

/// When the parts of a daemon last showed that they go on. A loop shows it by a timer of its own.
package final class LoopProgress: Sendable {
  typealias Instant = ContinuousClock.Instant

  /// How often a part shows it.
  package static let period = Duration.seconds(5)

  private let seen = Guarded<[String: Instant]>([:])

  package init() {}

  /// Follows a loop until that stops.
  package func follow(_ loop: EventLoop) {
    note("the thread \(loop.name)")
    loop.execute { [weak self] in self?.next(loop) }
  }

  private func next(_ loop: EventLoop) {
    note("the thread \(loop.name)")
    loop.schedule(after: Self.period) { [weak self, weak loop] in
      if let loop { self?.next(loop) }
    }
  }

  /// A part goes on.
  package func note(_ part: String) { seen.withLock { $0[part] = .now } }

  /// How long ago each part did.
  var silence: [String: Duration] {
    let now = Instant.now
    return seen.withLock { $0.mapValues { now - $0 } }
  }
}
