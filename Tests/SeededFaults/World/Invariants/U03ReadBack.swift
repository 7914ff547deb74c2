import FleetModel
import Simulator

/// An update is done only when, behind the last activation, an application has said its version over another link (U3).
struct U03ReadBack: Invariant {
  private struct Board: Sendable {
    var isActivated = false
    /// Over the link that is up.
    var (hasSaid, isApplication) = (false, false)
    var isProved = false
  }

  private var boards: [BoardID: Board] = [:]
  /// Replies may come twice.
  private var known: Set<String> = []

  mutating func observe(_ observation: Observation, at moment: Moment) -> String? {
    switch observation {
    case .requested(let board, let bytes): note(bytes.first.flatMap(BootloaderRequest.init), board)
    case .link(let board, _):
      boards[board]?.hasSaid = false
      boards[board]?.isApplication = false
    case .read(let board, MetaMotionAttributes.firmwareRevision):
      boards[board]?.hasSaid = true
      prove(board)
    case .wrote(let board, _):
      boards[board]?.isApplication = true
      prove(board)
    case .published(let publication) where publication.name == "firmware-update": return check(publication)
    default: break
    }
    return nil
  }

  private mutating func note(_ request: BootloaderRequest?, _ board: BoardID) {
    switch request {
    case .start: boards[board] = Board()
    case .activate: boards[board, default: Board()].isActivated = true
    default: break
    }
  }

  private mutating func prove(_ board: BoardID) {
    guard let known = boards[board], known.isActivated, known.hasSaid, known.isApplication else { return }
    boards[board]?.isProved = true
  }

  private mutating func check(_ publication: Publication) -> String? {
    guard publication.lane == "reply", let board = publication.board, let document = publication.document,
      document["stage"] == "done", let id = document["id"]?.string, known.insert("\(board) \(id)").inserted
    else { return nil }
    if boards[board]?.isProved == true { return nil }
    return "\(board) is said to have its firmware, and no application said so: \(publication.text)"
  }
}
