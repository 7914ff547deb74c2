import FleetModel

/// The rollout that is not over.
struct LiveRollout: Sendable {
  var rollout: Rollout
  var began: Timestamp
  /// Boards whose command ends in this run of the gateway.
  var awaited: Set<BoardID> = []
  /// What happened and could not be written down yet.
  var unwritten: [Rollout.Event] = []
}

/// Whether it is known what the last run of the gateway left of rollouts.
enum RolloutBeginning: Sendable { case waiting, failed, done }

/// What `RolloutRunner` is to take up.
struct RolloutErrand: Sendable {
  enum Kind: Sendable {
    case begin(Rollout)
    case event(Rollout.Event)
    case ended(BoardID, CommandOutcome)
  }

  var kind: Kind
  /// Resumed with whether it could be written down.
  var continuation: CheckedContinuation<Bool, Never>?
}
