import FleetModel
import Simulator

/// Over the one adapter one board at a time is sent firmware, and over a link it is announced once (U8, fault F274).
struct U08OneTransfer: Invariant {
  /// Boards over whose link firmware was announced.
  private var busy: Set<BoardID> = []

  mutating func observe(_ observation: Observation, at moment: Moment) -> String? {
    switch observation {
    case .link(let board, isUp: false): busy.remove(board)
    // Links may outlive who used them.
    case .started: busy = []
    case .requested(let board, let bytes) where bytes.first == BootloaderRequest.start.rawValue:
      let others = busy.subtracting([board]).sorted()
      let isAgain = !busy.insert(board).inserted
      if let other = others.first { return "\(board) is sent firmware while \(other) is" }
      if isAgain { return "\(board) is sent firmware twice over one link" }
    default: break
    }
    return nil
  }
}
