import FleetModel

/// Whether somebody has set the host's clock; told when that changes (fault F100). Pure.
struct HostClockState: Hashable, Sendable {
  /// The type of the event that tells it.
  enum Change: String, Sendable {
    case unset, synced

    var sentence: String {
      switch self {
      case .unset:
        "the clock of this computer is not set: times are wrong until it is, and logs wait for it; is a time server reachable?"
      case .synced: "the clock of this computer is set"
      }
    }
  }

  private(set) var isSet = true

  /// The clock shows `now`.
  mutating func note(_ now: Timestamp) -> Change? {
    guard now.isPlausible != isSet else { return nil }
    isSet = now.isPlausible
    return isSet ? .synced : .unset
  }
}
