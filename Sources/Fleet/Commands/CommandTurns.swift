/// In which order a board's commands are carried out: as they arrived, one at a time. Pure.
struct CommandTurns: Hashable, Sendable {
  typealias Turn = Int

  private var last: Turn = 0
  /// Not yet begun, in order.
  private var waiting: [Turn] = []
  /// Whose turn it is.
  private(set) var current: Turn?

  /// Gives the next turn.
  mutating func take() -> Turn {
    last += 1
    waiting.append(last)
    return last
  }

  /// Who may begin, if anybody.
  var next: Turn? { current == nil ? waiting.first : nil }

  /// It is this one's turn now.
  mutating func begin(_ turn: Turn) {
    waiting.removeAll { $0 == turn }
    current = turn
  }

  /// It could not begin after all, and waits again in its place.
  mutating func giveBack(_ turn: Turn) {
    guard current == turn else { return }
    current = nil
    waiting.insert(turn, at: waiting.firstIndex { $0 > turn } ?? waiting.endIndex)
  }

  /// It is over, or will never begin.
  mutating func leave(_ turn: Turn) {
    waiting.removeAll { $0 == turn }
    if current == turn { current = nil }
  }
}
