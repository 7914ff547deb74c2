/// Whether a loop rests between two looks at its descriptors, so that many small packets share one wake-up, and packets
/// of one board share one turn.
///
/// Nothing is lost, because the kernel holds the packets, and nothing is dated wrongly, because it notes when they came.
/// Timers and jobs are served during a rest.
struct Coalescing: Sendable {
  typealias Instant = EventLoop.Instant

  /// What a look at the descriptors found.
  enum Finding: Comparable {
    case nothing
    /// Traffic, all of which was taken.
    case all
    /// Traffic of which there may be more.
    case part
  }

  /// A rest at most, so that many packets come together; zero: never rest.
  var longest = Duration.zero
  /// A rest while answers are expected on descriptors.
  var shortest = Duration.zero

  /// Somebody waits for an answer that may come at any moment, for example of a D-Bus call.
  var urgentWaits = 0
  /// Until when answers are expected.
  var eagerUntil: Instant?

  /// Whether the last look left some.
  private var hasMore = false
  private var restStart: Instant?

  /// Whether the next look takes only what is there already, because a rest is due once that is all.
  var isCollecting: Bool { hasMore && longest > .zero }

  /// Takes note of a look at the descriptors, after which there may be a rest.
  mutating func looked(_ finding: Finding, at now: Instant) {
    if finding == .all || finding == .nothing && hasMore, longest > .zero { restStart = now }
    hasMore = finding == .part
  }

  /// What is left of the rest, if there is one.
  mutating func rest(at now: Instant) -> Duration? {
    guard let restStart else { return nil }
    let isEager = eagerUntil.map { now < $0 } ?? false
    let left = (isEager ? shortest : longest) - restStart.duration(to: now)
    if urgentWaits == 0, left > .zero { return left }
    self.restStart = nil
    return nil
  }
}
