/// What the sender of a verb hears when it is done, and how it may fail. Schemas and documentation come from it.
public struct VerbAnswer: Sendable {
  /// Keys of `data`; a required one is always there.
  public var results: [Parameter] = []
  /// What further keys there are, in words; nil = none.
  public var furtherResults: String?
  /// Possible proofs, strongest first; none for verbs that need no board.
  public var evidence: [Evidence] = []
  /// Codes it may fail with, beside `common`.
  public var failures: [CommandFailure.Code] = []

  /// Codes any verb may fail with.
  public static let common: [CommandFailure.Code] = [
    .invalid, .denied, .expired, .busy, .unreachable, .retained, .duplicateIDMismatch, .internal,
  ]
}

/// A verb whose further keys depend on the word that one of its arguments holds.
public struct VerbVariants: Sendable {
  /// One of the words.
  public struct Branch: Sendable {
    /// The word.
    public var word: String
    /// What else is taken with it.
    public var parameters: [Parameter]
    /// What is answered in `data`, in words.
    public var result: String

    init(_ word: String, _ parameters: [Parameter] = [], answers result: String) {
      (self.word, self.parameters, self.result) = (word, parameters, result)
    }
  }

  /// The argument.
  public var key: String
  /// Every word there is.
  public var branches: [Branch]
}

extension ParameterType {
  /// A number of things, or a slot.
  static let count = ParameterType.integer(0...9_007_199_254_740_991)
  /// Slots on a board.
  static let slots = ParameterType.list(of: .count, 0...256)
  /// Names or sentences.
  static let texts = ParameterType.list(of: .text(1...256), 0...256)
  /// Whose a thing on a board is.
  static let owner = ParameterType.choice(["ours", "foreign"])

  /// A list of objects with these members.
  static func rows(_ members: [Parameter]) -> ParameterType { .list(of: .object(members), 0...10_000) }
}
