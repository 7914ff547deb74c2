import FleetModel

/// Lets through at most so many samples a second, spaced by their stamps: for eyes, not for databases.
struct LiveLane: Sendable {
  private let period: Duration?
  /// From when on a sample goes out.
  private(set) var due: Timestamp

  /// `rate` in Hz; 0 lets nothing through. Any positive number may be asked for, however small. `due` is what the
  /// stream's earlier lane left: who starts a stream anew again and again shall not see more of it.
  init(rate: Double, due: Timestamp? = nil) {
    period = rate > 0 ? .nanoseconds(Int64(min(1e9 / rate, 1e18))) : nil
    self.due = due ?? Timestamp(nanoseconds: .min)
  }

  /// Whether the sample of this time goes out.
  mutating func admits(_ time: Timestamp) -> Bool {
    guard let period else { return false }
    // The clock may have been set back between two lanes.
    let isBelowRate = due > time && due - time > period
    guard time >= due || isBelowRate else { return false }
    // Keep the pace when samples come a little late, but never owe more than one.
    let isLate = due.nanoseconds == .min || time - due >= period
    due = isBelowRate || isLate ? time + period : due + period
    return true
  }
}
