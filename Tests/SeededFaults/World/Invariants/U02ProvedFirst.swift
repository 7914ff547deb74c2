import FleetModel
import Simulator

/// An image is announced only over a link over which the board has said its serial number (U2).
struct U02ProvedFirst: Invariant {
  private var proved: Set<BoardID> = []

  mutating func observe(_ observation: Observation, at moment: Moment) -> String? {
    switch observation {
    case .read(let board, MetaMotionAttributes.serialNumber): proved.insert(board)
    case .link(let board, _): proved.remove(board)
    // The link may outlive who asked.
    case .started: proved = []
    case .requested(let board, let bytes) where bytes.first == BootloaderRequest.start.rawValue:
      if !proved.contains(board) { return "\(board) is sent an image, and did not say who it is" }
    default: break
    }
    return nil
  }
}
