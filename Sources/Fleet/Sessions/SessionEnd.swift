import BoardKit
import FleetModel

/// How a session ended.
struct SessionEnd: Sendable {
  /// Why its link ended.
  var failure: LinkFailure
  /// Whether the board ever answered.
  var wasAnswered: Bool
  /// Whether a command had ordered the board to disconnect: such an end is what was wanted, and no loss.
  var isOrdered: Bool
}

extension ProtocolFailure {
  /// Why the link ends with a board that does not say what it has to.
  var linkFailure: LinkFailure {
    switch self {
    case .linkEnded(let link): link
    case .silent, .unexpected: LinkFailure(.silent, description)
    case .unknownModel: LinkFailure(.unknownModel, description)
    }
  }
}
