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
