/// In which order a board's commands are carried out: as they arrived, one at a time. Pure.
struct CommandSequence: Hashable, Sendable {
  typealias Turn = Int

  private var last: Turn = 0
  /// Not yet begun, in order.
  private var waiting: [Turn] = []
  /// Whose turn it is.
  private(set) var current: Turn?
  /// Whether the board may have heard of the one whose turn it is.
  private(set) var isSent = false

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
    isSent = false
  }

  /// The board is about to hear of it.
  mutating func sent(_ turn: Turn) { if current == turn { isSent = true } }

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
