import FleetModel
import Storage

/// Who carries commands out.
struct CommandRoutes: Sendable {
  /// nil: not a board of ours.
  var board: @Sendable (BoardID) async -> (any CommandedBoard)?
  /// The boards of ours that are in a group now, with the groups of each.
  var members: @Sendable (String) async -> [BoardID: [String]]
  var gateway: @Sendable (GatewayIntent, CommandProgress) async -> CommandOutcome
  /// Whether another gateway has published the board.
  var isOwnedElsewhere: @Sendable (BoardID) async -> Bool
  /// Whether there are other gateways, which may have members of a group.
  var isAmongOthers: @Sendable () async -> Bool
  /// The outbox has something new.
  var published: @Sendable () async -> Void
  var deliver: @Sendable ([FleetEvent]) async -> Void
  /// The command of a board ended in this run of the gateway that is part of what came under that key; jobs of groups
  /// hear of theirs without it.
  var memberEnded: @Sendable (BoardID, CommandOutcome, CommandEntry.Key) async -> Void = { _, _, _ in }
}
