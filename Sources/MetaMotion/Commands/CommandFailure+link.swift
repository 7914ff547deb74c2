import BoardKit
import FleetModel

extension CommandFailure {
  /// What the sender of a command learns of trouble with the board.
  init(_ failure: ProtocolFailure) {
    switch failure {
    case .unexpected(let message): self.init(.boardError, message)
    case .unknownModel(let message): self.init(.unsupported, message)
    case .silent(let question, _): self.init(.boardError, "the board did not answer the read of \(question)")
    case .linkEnded(let failure):
      self.init(.unreachable, "the connection was lost before the board answered: \(failure.message)")
    }
  }
}

extension CommandOutcome {
  /// How a command ended that had begun to act when the trouble came. Only an answer that we could read proves
  /// that it was not done; silence and the end of the link prove nothing (fault F28).
  init(acting failure: ProtocolFailure) {
    switch failure {
    case .unexpected, .unknownModel: self = .failed(CommandFailure(failure))
    case .silent(let question, _):
      self = .unknown(
        message: "the board did not answer the read of \(question); the command may have taken effect")
    case .linkEnded(let failure):
      self = .unknown(
        message:
          "the connection was lost while the command was running (\(failure.message)); it may have taken effect"
      )
    }
  }
}
