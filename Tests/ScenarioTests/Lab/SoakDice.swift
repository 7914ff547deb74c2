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
  /// Boards whose turn is still to come. They are dealt like cards: one that had all the bad luck would be taken for
  /// one that flaps, and rest for minutes.
  private var deck: [BoardID] = []
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
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<7: return (pause, .lostLink(deal()))
    case 7..<10: return (pause, .reset(deal()))
    case 10..<14: return (pause, .walk(deal(), seconds(3...60)))
    case 14..<16: return (pause, .stolenNotifications(deal()))
    case 16..<18: return (pause, .adapterOff)
    case 18: return (pause, .bluetoothdEnds(.killed, away: seconds(0...15)))
    default: return (pause, .bluetoothdEnds(.stopped, away: seconds(0...15)))
    }
  }

  private mutating func deal() -> BoardID {
    if deck.isEmpty { deck = boards.shuffled(using: &random) }
    return deck.removeLast()
  }

  private mutating func seconds(_ range: ClosedRange<Int>) -> Duration {
    .seconds(Int.random(in: range, using: &random))
  }
}
