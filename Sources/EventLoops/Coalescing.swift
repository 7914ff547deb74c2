/// Whether a loop pauses between two polls of its descriptors, so that many small packets share one wake-up, and
/// packets of one board share one turn.
///
/// Nothing is lost, because the kernel holds the packets, and nothing is dated wrongly, because it notes when they
/// came. Timers and jobs are served during a pause.
struct Coalescing: Sendable {
  typealias Instant = EventLoop.Instant

  /// What a poll of the descriptors found.
  enum Finding: Comparable {
    case nothing
    /// Traffic, all of which was taken.
    case all
    /// Traffic of which there may be more.
    case part
  }

  /// A pause at most, so that many packets come together; zero: never pause.
  var longest = Duration.zero
  /// A pause while answers are expected on descriptors.
  var shortest = Duration.zero

  /// Somebody waits for an answer that may come at any moment, for example of a D-Bus call.
  var urgentWaits = 0
  /// Until when answers are expected.
  var eagerUntil: Instant?

  /// Whether the last poll left some.
  private var hasMore = false
  private var pauseStart: Instant?

  /// Whether the next poll takes only what is there already, because a pause is due once that is all.
  var isCollecting: Bool { hasMore && longest > .zero }

  /// Takes note of a poll of the descriptors, after which there may be a pause.
  mutating func polled(_ finding: Finding, at now: Instant) {
    if finding == .all || finding == .nothing && hasMore, longest > .zero { pauseStart = now }
    hasMore = finding == .part
  }

  /// What is left of the pause, if there is one.
  mutating func pause(at now: Instant) -> Duration? {
    guard let pauseStart else { return nil }
    let isEager = eagerUntil.map { now < $0 } ?? false
    let left = (isEager ? shortest : longest) - pauseStart.duration(to: now)
    if urgentWaits == 0, left > .zero { return left }
    self.pauseStart = nil
    return nil
  }
}
