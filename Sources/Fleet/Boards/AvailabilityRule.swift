import BoardKit
import FleetModel

/// Whether a board can be counted on (MQTT contract 1.2). Pure: facts and time in, answer out.
struct AvailabilityRule: Sendable {
  /// What is known.
  struct Facts: Hashable, Sendable {
    /// A link is up and a request was answered on it.
    var isAnswering = false
    /// When the board was last heard or answered, by uptime.
    var lastSeen: Duration?
    /// When a session last ended that had been answered.
    var lastSession: Duration?
    /// Since when we look for it.
    var watchedSince: Duration
    /// Attempts have failed so often that it counts as unreachable.
    var isUnreachable = false
    var isBootloader = false
    /// It gets other firmware right now.
    var isUpdating = false
    /// It was put to sleep and not heard since.
    var isAsleep = false
    /// Another board than the one that is meant answered last.
    var mismatch: IdentityMismatch?
    /// nil when there is an adapter to hear it with; else why not.
    var radioTrouble: Availability.Reason?
    var isStopped = false
  }

  /// How long silence is fine.
  var window: Duration

  /// Whether a board of these facts that was heard just now is a change: not if it was known to be there, and like
  /// this.
  func isChange(_ facts: Facts, after before: Facts, at now: Duration) -> Bool {
    guard let seen = before.lastSeen, now - seen < window else { return true }
    var heardAgain = before
    heardAgain.lastSeen = facts.lastSeen
    return facts != heardAgain
  }

  /// The answer, and when it may change by itself.
  func judge(_ facts: Facts, at now: Duration) -> (reason: Availability.Reason, until: Duration?) {
    if facts.isStopped { return (.gatewayStopped, nil) }
    if let trouble = facts.radioTrouble { return (trouble, nil) }
    if facts.isAnswering { return (.connected, nil) }
    if facts.isBootloader { return (.bootloader, nil) }
    if facts.isAsleep { return (.asleep, nil) }
    if facts.mismatch != nil { return (.identityMismatch, nil) }
    if facts.isUnreachable { return (.connectFailed, nil) }
    if let session = facts.lastSession, now - session < window { return (.visited, session + window) }
    if let seen = facts.lastSeen, now - seen < window { return (.advertising, seen + window) }
    if facts.lastSeen == nil, facts.lastSession == nil, now - facts.watchedSince < window {
      return (.starting, facts.watchedSince + window)
    }
    return (.silent, nil)
  }
}

extension Availability.Reason {
  /// What boards lack while the radio is in such trouble.
  var lostRadio: LinkFailure.Reason { self == .noAdapter ? .noRadio : .serviceGone }
}
