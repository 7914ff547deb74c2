import FleetModel

/// What a board said that we do not understand, or did not say.
public enum ProtocolFailure: Error, Hashable, Sendable {
  /// An answer was too short or made no sense; the sentence names it.
  case unexpected(String)
  /// The board is of a kind the driver does not know.
  case unknownModel(String)
  /// No answer came within the time.
  case silent(question: String, after: Duration)
  /// The link ended in between.
  case linkEnded(LinkFailure)
}

extension ProtocolFailure: CustomStringConvertible {
  /// One sentence for a person.
  public var description: String {
    switch self {
    case .unexpected(let what): "unexpected answer of the board: \(what)"
    case .unknownModel(let model): "unknown board model: \(model)"
    case .silent(let question, let limit): "no answer to \(question) within \(DurationText.rounded(limit))"
    case .linkEnded(let link): link.message
    }
  }
}
