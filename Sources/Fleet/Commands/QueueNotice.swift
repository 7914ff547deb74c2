import FleetModel

/// When the sender of a command that waits for the next contact is notified when that is planned: at first, and again
/// when the plan moved by more than a minute and by more than a tenth of the time that is left. Pure.
struct QueueNotice: Hashable, Sendable {
  private static let slack = Duration.seconds(60)
  private var wasNotified = false
  private var notified: Timestamp?

  /// Whether `eta`, nil = nothing is planned, is to be sent now.
  mutating func shouldNotify(_ eta: Timestamp?, at now: Timestamp) -> Bool {
    guard wasNotified else {
      (wasNotified, notified) = (true, eta)
      return true
    }
    guard let eta, eta != notified else { return false }
    if let notified {
      let moved = max(eta - notified, notified - eta)
      guard moved > max(Self.slack, (eta - now) / 10) else { return false }
    }
    notified = eta
    return true
  }
}
