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
  /// How often what is stored is dated anew: the second time for what waited in memory the first time.
  private static let rounds = 2

  /// By how much it was set forward when it was set.
  private(set) var step = Duration.zero
  private var roundsLeft = 0
  /// What it was ahead of the uptime by while it was not set.
  private var unsetLead: Duration?

  /// Whether what was stored without a clock still has to be dated anew.
  var needsRedating: Bool { roundsLeft > 0 }

  /// Whether the clock, which shows `now`, would make what was stored without it decades old.
  func isUndated(at now: Timestamp) -> Bool { needsRedating || !isSet && now.isPlausible }

  /// What is stored has the time by now at which it was taken.
  mutating func redated() { roundsLeft = max(0, roundsLeft - 1) }

  /// The clock shows `now`.
  mutating func note(_ now: Timestamp, uptime: Duration = .zero) -> Change? {
    let lead = now - Timestamp(nanoseconds: 0) - uptime
    defer { if !now.isPlausible { unsetLead = lead } }
    guard now.isPlausible != isSet else { return nil }
    isSet = now.isPlausible
    if isSet {
      step = unsetLead.map { lead - $0 } ?? .zero
      roundsLeft = step > .zero ? Self.rounds : 0
    }
    return isSet ? .synced : .unset
  }
}
