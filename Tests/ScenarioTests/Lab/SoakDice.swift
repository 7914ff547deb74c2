import FleetModel

/// What goes wrong during a soak, decided by a seed.
struct SoakDice: Sendable {
  enum Fault: Equatable, Sendable {
    case lostLink(BoardID)
    case reset(BoardID)
    /// Out of range for so long.
    case walk(BoardID, Duration)
    /// Another client takes the notifications away.
    case stolenNotifications(BoardID)
    case adapterOff
    case bluetoothdEnds(BluetoothdEnd, away: Duration)
  }

  private let boards: [BoardID]
  private let meanPause: Duration
  private var random: SeededGenerator

  init(seed: UInt64, boards: [BoardID], meanPause: Duration = .seconds(5)) {
    self.boards = boards
    self.meanPause = meanPause
    random = SeededGenerator(seed: seed)
  }

  /// The next fault, and how long after the one before.
  mutating func roll() -> (pause: Duration, fault: Fault) {
    let pause = meanPause * Double.random(in: 0.2...1.8, using: &random)
    let board = boards[Int.random(in: 0..<boards.count, using: &random)]
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<7: return (pause, .lostLink(board))
    case 7..<10: return (pause, .reset(board))
    case 10..<14: return (pause, .walk(board, seconds(3...60)))
    case 14..<16: return (pause, .stolenNotifications(board))
    case 16..<18: return (pause, .adapterOff)
    case 18: return (pause, .bluetoothdEnds(.killed, away: seconds(0...15)))
    default: return (pause, .bluetoothdEnds(.stopped, away: seconds(0...15)))
    }
  }

  private mutating func seconds(_ range: ClosedRange<Int>) -> Duration {
    .seconds(Int.random(in: range, using: &random))
  }
}
