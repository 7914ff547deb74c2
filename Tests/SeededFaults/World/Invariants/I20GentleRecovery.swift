import FleetModel

/// Recovery goes one rung at a time and leaves links alone that deliver: no hot loop of attempts (fault F02), no
/// removal of a device more often than every 30 s, no end of a link without cause.
struct I20GentleRecovery: Invariant {
  private struct Board: Sendable {
    var isUp = false
    var attempts: [Duration] = []
    var removed: Duration?
    /// When something last happened to it that is a reason to end its link.
    var trouble: Duration?
    var answered: Duration?
  }

  private static let attemptsPerMinute = 12
  private static let removalPause = Duration.seconds(30)
  /// What goes wrong may show itself late: a poll comes every ten seconds, and waits for five, twice.
  private static let radioLossWindow = Duration.seconds(60)

  private var boards: [BoardID: Board] = [:]
  /// The system has to forget what a board was that restarts as something else, and its bootloader is visited.
  private var jumps = Jumps()
  private var isStopping = false

  mutating func observe(_ observation: Observation, at moment: Moment) -> String? {
    let now = moment.uptime
    jumps.observe(observation, at: now)
    switch observation {
    case .started: isStopping = false
    case .ended(let isClean):
      isStopping = isClean
      // A new daemon begins anew.
      for board in boards.keys {
        boards[board]?.attempts = []
        boards[board]?.removed = nil
      }
    case .link(let board, let isUp): boards[board, default: Board()].isUp = isUp
    case .answered(let board):
      boards[board, default: Board()].attempts = []
      boards[board]?.answered = now
    case .fault(let fault), .cured(let fault): note(fault, at: now)
    case .connecting(let board): return noteAttempt(board, at: now)
    case .forgotten(let board): return noteRemoval(board, at: now)
    case .hungUp(let board): return noteEnd(board, at: now)
    default: break
    }
    return nil
  }

  private mutating func note(_ fault: SeededFault, at now: Duration) {
    guard fault.touchesLinks else { return }
    if let board = fault.board {
      boards[board, default: Board()].trouble = now
    } else {
      for board in boards.keys { boards[board]?.trouble = now }
    }
  }

  private mutating func noteAttempt(_ board: BoardID, at now: Duration) -> String? {
    var attempts = boards[board, default: Board()].attempts.filter { now - $0 < .seconds(60) }
    attempts.append(now)
    boards[board, default: Board()].attempts = attempts
    guard attempts.count > Self.attemptsPerMinute else { return nil }
    return "\(attempts.count) attempts in a minute to connect \(board)"
  }

  private mutating func noteRemoval(_ board: BoardID, at now: Duration) -> String? {
    // What a jump asks for is no rung of a recovery (seed 283).
    if jumps.isAway(board) { return nil }
    let before = boards[board]?.removed
    boards[board, default: Board()].removed = now
    if let before, now - before < Self.removalPause {
      return "\(board) is removed again after \(now - before)"
    }
    return nil
  }

  private func noteEnd(_ board: BoardID, at now: Duration) -> String? {
    guard let known = boards[board], known.isUp, !isStopping, !jumps.isAway(board) else { return nil }
    if let trouble = known.trouble, now - trouble <= Self.radioLossWindow { return nil }
    return "the link of \(board) is ended for no reason"
  }
}
