import FleetModel

/// A command runs at most once, as the boards see it.
struct I05AtMostOnce: Invariant {
  private var marks: [UInt16: Int] = [:]
  private var resetsAsked: [BoardID: Set<String>] = [:]
  private var resets: [BoardID: Int] = [:]

  mutating func observe(_ observation: Observation, at moment: Moment) -> String? {
    switch observation {
    case .commanded(let command):
      if command.verb == "reset", let board = command.board {
        resetsAsked[board, default: []].insert(command.id)
      }
    case .wrote(let board, let bytes):
      if bytes == [0xFE, 0x01] {
        resets[board, default: 0] += 1
        let asked = resetsAsked[board, default: []].count
        if resets[board, default: 0] > asked { return "\(board) was reset more often than asked: \(asked)" }
      }
      guard let mark = LightMark.shown(by: bytes) else { break }
      marks[mark, default: 0] += 1
      if marks[mark, default: 0] > 1 { return "led-\(mark) was carried out again on \(board)" }
    default: break
    }
    return nil
  }
}
