/// How long to wait before the bus is tried again: twice as long after each time, from half a second to half a minute
/// (fault F12). Only a connection that held for as long as the longest pause begins anew, so that a bus that lets us in
/// and throws us out again is not stormed.
struct BusBackoff: Sendable {
  private let policy: BlueZPolicy
  private var pause: Duration

  init(policy: BlueZPolicy) {
    self.policy = policy
    pause = policy.firstRetry
  }

  /// The pause after an attempt whose connection held for `life`.
  mutating func next(afterLife life: Duration) -> Duration {
    if life >= policy.lastRetry { pause = policy.firstRetry }
    defer { pause = min(pause * 2, policy.lastRetry) }
    return pause
  }
}
