import FleetModel
import Storage

/// What rollouts need of their gateway.
struct RolloutRoutes: Sendable {
  /// How its boards are now.
  var fleet: @Sendable () async -> RolloutFleet
  /// Whether there is firmware, fetched and checked; throws why not.
  var installation: @Sendable (InstallationRequest) async throws(CommandFailure) -> Void
  /// Begins the command of a board.
  var begin: @Sendable (MemberCommand) async -> MemberCommand.Start
  /// The ledger's key of the command that began a rollout.
  var key: @Sendable (RolloutPlan) -> CommandEntry.Key
  /// And of the command that updates one of its boards.
  var memberKey: @Sendable (CommandRequest) -> CommandEntry.Key
  /// Its documents are these, and of the last one that is named something happened.
  var publish: @Sendable (RolloutPublication) async -> Void
}

/// What is published of rollouts.
struct RolloutPublication: Sendable {
  /// All that there are, the latest first.
  var reports: [RolloutReport] = []
  /// The one that says something else than before.
  var changed: RolloutReport?
  /// Types of events, and the fields of each.
  var events: [String] = []
  var fields = JSONObject()
  var message: String?
  /// Those that are forgotten.
  var forgotten: [String] = []
}
