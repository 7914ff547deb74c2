import FleetModel
import Simulator

/// A transfer that fails is begun anew a few times, and then only much later (U5; one final reply is I7).
struct U05FewTransfers: Invariant {
  /// Three of an image, and as many that a bootloader refused because it was still in the one before.
  private static let limit = 6
  private static let span = Duration.seconds(590)
  private var starts: [BoardID: [Duration]] = [:]

  mutating func observe(_ observation: Observation, at moment: Moment) -> String? {
    switch observation {
    // What was being done is begun anew.
    case .started: starts = [:]
    case .commanded(let command) where command.verb == "firmware-update":
      if let board = command.board { starts[board] = nil }
    // As a rollout does in the name of whoever ordered it.
    case .published(let publication) where publication.name == "firmware-update":
      if let board = publication.board, publication.document?["stage"] == "accepted" { starts[board] = nil }
    case .requested(let board, let bytes) where bytes.first == BootloaderRequest.start.rawValue:
      let recent = (starts[board] ?? []).filter { moment.uptime - $0 < Self.span } + [moment.uptime]
      starts[board] = recent
      if recent.count > Self.limit {
        return "\(board) is sent its image for the \(recent.count)th time in a row"
      }
    default: break
    }
    return nil
  }
}
