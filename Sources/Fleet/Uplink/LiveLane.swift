import FleetModel

/// Lets through at most so many samples a second, spaced by their stamps: for eyes, not for databases.
struct LiveLane: Sendable {
  private let period: Duration?
  private var due = Timestamp(nanoseconds: .min)

  /// `rate` in Hz; 0 lets nothing through. Any positive number may be asked for, however small.
  init(rate: Double) {
    period = rate > 0 ? .nanoseconds(Int64(min(1e9 / rate, 1e18))) : nil
  }

  /// Whether the sample of this time goes out.
  mutating func admits(_ time: Timestamp) -> Bool {
    guard let period else { return false }
    guard time >= due else { return false }
    // Keep the pace when samples come a little late, but never owe more than one.
    due = due.nanoseconds == .min || time - due >= period ? time + period : due + period
    return true
  }
}
