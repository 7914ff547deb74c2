import BoardKit
import FleetModel
import Logging
import Storage

/// What every supervisor needs from around it.
struct SupervisorEnvironment: Sendable {
  var radio: any Radio
  var family: FamilyDescriptor
  var scheduler: ConnectionScheduler
  var store: Store
  var timekeeper: any Timekeeper
  var counters: Counters
  var offers: SharedOffers
  var configuration: FleetConfiguration
  var log: Logger
  /// Looks after the sessions.
  var ticker: SessionTicker
  var gateway: any SupervisorDelegate
  /// What is known of newer firmware; nil where nobody looks for it.
  var firmware: FirmwareChecks?
  /// Tells the uplinks; never waits.
  var deliver: @Sendable ([FleetEvent]) async -> Void
  /// Whether the host's own clock is set.
  var isHostTimeKnown: @Sendable () -> Bool = { true }
  /// Called when there is something new in the archive.
  var archiveGrew: @Sendable () -> Void = {}
}

/// The gateway as its boards see it.
protocol SupervisorDelegate: Sendable {
  /// Why data of a board are received, or not.
  func explain(_ board: BoardID) async -> CommandOutcome
  /// Why a board cannot have the profile of that name; nil when it can.
  func missing(profile: String) async -> CommandFailure?
  /// Gives a board the profile that a verb chose for it; nil: the one that the configuration names.
  func choose(_ choice: ProfileChoice?, for board: BoardID) async
  /// The store refuses a page of the board's log and why, or takes one again.
  func archived(_ board: BoardID, _ failure: StoreFailure?) async
  /// Health counts a board otherwise than before: as one in trouble, or in maintenance.
  func countedAnew() async
  /// A download has come so far; whoever wants to know what becomes of one that ends there may end it.
  func passed(_ board: BoardID, _ step: DownloadStep) async
}
