import FleetModel

/// The time of a radio: the host's, and one that only goes forward.
struct RadioClock: Sendable {
  private let timekeeper: any Timekeeper
  private let start = ContinuousClock.now

  init(timekeeper: any Timekeeper) { self.timekeeper = timekeeper }

  var now: Timestamp { timekeeper.now }
  /// Monotonic, for waiting.
  var uptime: Duration { start.duration(to: .now) }
}
