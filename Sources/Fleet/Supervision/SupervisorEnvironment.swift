import BoardKit
import FleetModel
import Logging
import Storage

/// What every supervisor needs from around it.
struct SupervisorEnvironment: Sendable {
  var radio: any Radio
  var family: FamilyDescriptor
  var airtime: Airtime
  var store: Store
  var timekeeper: any Timekeeper
  var counters: Counters
  var offers: SharedOffers
  var configuration: FleetConfiguration
  var log: Logger
  /// Looks after the sessions.
  var heartbeat: Heartbeat
  /// Tells the uplinks; never waits.
  var deliver: @Sendable ([FleetEvent]) async -> Void
  /// Why data come from a board, or do not.
  var explain: @Sendable (BoardID) async -> CommandOutcome = { _ in
    .failed(CommandFailure(.unsupported, "nobody here can explain it"))
  }
  /// Why a board cannot have the profile of that name; nil when it can.
  var missingProfile: @Sendable (String) async -> CommandFailure?
  /// Gives a board the profile that a verb chose for it.
  var choose: @Sendable (BoardID, ProfileChoice?) async -> Void
  /// Whether the host's own clock is set.
  var isHostTimeKnown: @Sendable () -> Bool = { true }
  /// Called when there is something new in the archive.
  var archiveGrew: @Sendable () -> Void = {}
  /// Told when the store refuses a page of the board's log and why, and when it takes one again.
  var archived: @Sendable (BoardID, StoreFailure?) async -> Void = { _, _ in }
  /// Told of every step of a download; whoever wants to know what becomes of one that ends there may end it.
  var passed: @Sendable (BoardID, DownloadStep) async -> Void = { _, _ in }
  /// Called when links come and go, for the adapters' documents.
  var linksChanged: @Sendable () async -> Void
}
