import FleetModel

/// No board is told to enter its bootloader that nobody ordered firmware for, or whose battery was low by then (U1).
struct U01GatesFirst: Invariant {
  private var low: Set<BoardID> = []
  private var ordered: Set<BoardID> = []
  /// Whose battery was low when all boards were ordered to get it.
  private var lowInRollout: Set<BoardID>?

  mutating func observe(_ observation: Observation, at moment: Moment) -> String? {
    switch observation {
    case .fault(.lowBattery(let board)): low.insert(board)
    case .commanded(let command) where command.verb == "firmware-update":
      if let board = command.board, !low.contains(board) { ordered.insert(board) }
    case .commanded(let command) where command.verb == "firmware-rollout": lowInRollout = lowInRollout ?? low
    case .wrote(let board, [0xFE, 0x02]) where !isOrdered(board):
      return "\(board) is told to enter its bootloader"
        + (low.contains(board) ? ", although its battery is low" : ", and nobody ordered that")
    default: break
    }
    return nil
  }

  private func isOrdered(_ board: BoardID) -> Bool {
    ordered.contains(board) || lowInRollout.map { !$0.contains(board) } ?? false
  }
}
