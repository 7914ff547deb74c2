import FleetModel

/// Published health equals reality: a board's link is told within 5 s, a link left over by an earlier run is taken over
/// within 20 s (fault F09), and the gateway's own state is wrong for at most 1.5 keepalives.
struct I08TrueState: Invariant {
  private struct Board: Sendable {
    var isUp = false
    var since = Duration.zero
    var phase: LinkPhase?
    var reason = ""
    /// When a fault last touched it.
    var touched = Duration.zero
  }

  private static let limit = Duration.seconds(5)
  private static let adoption = Duration.seconds(20)
  private static let keepalives = Duration.seconds(30)
  /// After a fault that makes connecting fail, a link that is up may belong to nobody for a while.
  private static let recovery = Duration.seconds(60)

  private var boards: [BoardID: Board] = [:]
  private var clearness = Clearness()
  private var isOnline = false
  private var wrongSince: Duration?
  private var isRunning = false

  init(boards: Int) {
    self.boards = Dictionary(uniqueKeysWithValues: FleetHealth.names(boards).map { ($0, Board()) })
  }

  mutating func observe(_ observation: Observation, at moment: Moment) -> String? {
    clearness.observe(observation, at: moment.uptime)
    switch observation {
    case .started: isRunning = true
    case .ended: isRunning = false
    case .link(let board, let isUp):
      boards[board]?.isUp = isUp
      boards[board]?.since = moment.uptime
    case .fault(let fault), .cured(let fault):
      for board in boards.keys where fault.board == nil || fault.board == board {
        if fault.touchesLinks { boards[board]?.touched = moment.uptime }
      }
    case .published(let publication): note(publication)
    case .tick: return check(at: moment.uptime)
    default: break
    }
    return nil
  }

  private mutating func note(_ publication: Publication) {
    if publication.isGatewayAvailability { isOnline = publication.document?["state"] == "online" }
    guard let board = publication.board else { return }
    if publication.lane == "state" {
      boards[board]?.phase = publication.document?["link"]?.string.flatMap(LinkPhase.init)
    }
    if publication.lane == "availability" {
      boards[board]?.reason = publication.document?["reason"]?.string ?? ""
    }
  }

  private mutating func check(at now: Duration) -> String? {
    wrongSince = isOnline && !isRunning ? wrongSince ?? now : nil
    if let wrongSince, now - wrongSince > Self.keepalives { return "the gateway is online and dead" }
    guard clearness.isClear(for: Self.limit, at: now) else { return nil }
    for (id, board) in boards.sorted(by: { $0.key < $1.key }) where now - board.since > Self.limit {
      if !board.isUp, board.phase?.isConnected == true || board.reason == "connected" {
        return "\(id) has had no link since \(board.since) and is said to be \(board.phase?.rawValue ?? "-"),"
          + " \(board.reason)"
      }
      guard let started = clearness.started, now - max(started, board.since) > Self.adoption,
        now - board.touched > Self.recovery
      else { continue }
      // A board that gets firmware has links to its bootloader, one after the other.
      if board.isUp, board.phase?.isConnected != true, board.phase != .updating {
        return "\(id) has had a link since \(board.since) and is said to be \(board.phase?.rawValue ?? "-")"
      }
    }
    return nil
  }
}
