/// Where time comes from. Injected everywhere, so that a simulated fleet lives in virtual time.
///
/// `now` may jump when the host's clock is set; whatever measures a span or a deadline uses `uptime`.
public protocol Timekeeper: Sendable {
  /// The host's wall clock.
  var now: Timestamp { get }

  /// Monotonic time since an arbitrary start.
  var uptime: Duration { get }

  /// Returns after `duration`, or throws as soon as the task is cancelled.
  func sleep(for duration: Duration) async throws(CancellationError)
}
