import BoardKit
import FleetModel

/// Which boards that are received and not admitted join by themselves, and which of them are reported. Pure; times are
/// uptimes.
struct Joining: Sendable {
  /// Why a board does not join.
  enum Refusal: String, Sendable {
    /// The join permission is closed, or the board waits in its bootloader.
    case closed
    /// `forget` blocked its address.
    case blocked
    case weakSignal = "weak-signal"
    case maximumBoards = "max-boards"
    case rate
  }

  var permission: JoinPermission
  /// Addresses that are not admitted until a command names them.
  private(set) var blocked: Set<BoardID> = []
  private var discovered = DiscoveredBoards()
  private var admissions = SlidingWindow()

  init(_ permission: JoinPermission) { self.permission = permission }

  /// Why the board that was received does not join; nil when it does, which counts. `joined` is how many boards have.
  mutating func refusal(
    of report: AdvertisementReport, isBootloader: Bool, joined: Int, at uptime: Duration
  ) -> Refusal? {
    if blocked.contains(report.board) { return .blocked }
    guard permission.isOpen(at: uptime), !isBootloader else { return .closed }
    let policy = permission.policy
    // A board of unknown signal strength may be anywhere.
    if let least = policy.minimumRSSI, report.rssi.map({ $0 < least }) ?? true { return .weakSignal }
    guard joined < policy.maximumBoards else { return .maximumBoards }
    let isAllowed = admissions.take(limit: policy.perMinute, in: .seconds(60), at: uptime)
    return isAllowed ? nil : .rate
  }

  /// What is to be done about a board that does not join.
  mutating func notice(_ board: BoardID, at uptime: Duration) -> DiscoveredBoards.Notice {
    blocked.contains(board) ? .known : discovered.notice(board, at: uptime)
  }

  mutating func block(_ boards: some Sequence<BoardID>) { blocked.formUnion(boards) }

  mutating func unblock(_ board: BoardID) { blocked.remove(board) }
}
