import FleetModel

/// One stuck board cannot stop another: who is left in peace streams, and who was lost long ago is back.
struct I14NobodyStopsOthers: Invariant {
  private struct Board: Sendable {
    var touched = Duration.zero
    var answered: Duration?
    var lastBatch = Duration.zero
    /// Its streams may be as somebody asked.
    var hasWishes = false
  }

  /// Connecting takes its turn: boards that fail hold the adapter for twenty seconds each.
  private static let peace = Duration.seconds(150)
  private static let recoveryTime = Duration.seconds(20)
  private static let silence = Duration.seconds(5)

  private var boards: [BoardID: Board]
  private var clearness = Clearness()
  private var jumps = Jumps()
  private var isCalm = false

  init(boards: Int) {
    self.boards = Dictionary(uniqueKeysWithValues: FleetHealth.names(boards).map { ($0, Board()) })
  }

  mutating func observe(_ observation: Observation, at moment: Moment) -> String? {
    let now = moment.uptime
    clearness.observe(observation, at: now)
    jumps.observe(observation, at: now)
    switch observation {
    case .fault(let fault), .cured(let fault): note(fault, at: now)
    case .answered(let board): boards[board]?.answered = now
    case .link(let board, isUp: false): boards[board]?.answered = nil
    case .ended:
      for board in boards.keys {
        boards[board]?.touched = now
        boards[board]?.answered = nil
      }
    case .published(let publication) where publication.lane == "record":
      if publication.name == "acceleration", let board = publication.board { boards[board]?.lastBatch = now }
    case .calm: isCalm = true
    case .tick: return check(at: now)
    default: break
    }
    return nil
  }

  private mutating func note(_ fault: SeededFault, at now: Duration) {
    if case .command(let command) = fault, command.verb.hasPrefix("stream-"), let board = command.board {
      boards[board]?.touched = now
    }
    guard fault.touchesLinks else { return }
    for board in boards.keys where fault.board == nil || fault.board == board { boards[board]?.touched = now }
  }

  private func check(at now: Duration) -> String? {
    guard clearness.isClear(for: Self.recoveryTime, at: now) else { return nil }
    for (id, board) in boards.sorted(by: { $0.key < $1.key }) where !jumps.isAway(id) {
      let peace = now - max(board.touched, jumps.returned[id] ?? .zero)
      if let answered = board.answered, now - answered > Self.recoveryTime, peace > Self.recoveryTime,
        now - board.lastBatch > Self.silence
      {
        return "\(id) is left in peace and has streamed nothing since \(board.lastBatch)"
      }
      if board.answered == nil, peace > Self.peace { return "\(id) is left in peace and not back" }
    }
    return nil
  }
}
