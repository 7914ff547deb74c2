/// A verb: whom it addresses, what it takes, what it means. Parsing, validation, help, completion and
/// documentation come from this one declaration.
public struct VerbDefinition: Sendable {
  /// Who the verb can be sent to. Groups take all verbs of boards as well, and hand them to their members.
  public enum Addressee: Sendable, CaseIterable { case board, group, gateway }

  /// The topic level.
  public let name: String
  /// Who the verb can be sent to.
  public let addressee: Addressee
  /// One sentence for people.
  public let summary: String
  /// The arguments.
  public let parameters: [Parameter]
  /// What further keys are taken, in words; nil = none.
  public let furtherKeys: String?
  /// The argument whose word decides what else is taken; nil where there is none.
  public let fork: VerbVariants?
  /// What its sender hears when it is done.
  public private(set) var answer = VerbAnswer()
  /// Arguments as somebody would send them.
  public private(set) var example: JSONObject = [:]
  /// Turns arguments into an intent; throws `invalid` and what is wrong.
  public let interpret: @Sendable (JSONObject) throws(CommandFailure) -> Intent

  init(
    _ name: String, _ addressee: Addressee, _ summary: String, _ parameters: [Parameter] = [],
    furtherKeys: String? = nil, fork: VerbVariants? = nil,
    interpret: @escaping @Sendable (JSONObject) throws(CommandFailure) -> Intent
  ) {
    self.name = name
    self.addressee = addressee
    self.summary = summary
    self.parameters = parameters
    self.furtherKeys = furtherKeys
    self.fork = fork
    self.interpret = interpret
  }

  /// Whether it can be sent to such a target.
  public func isTaken(by other: Addressee) -> Bool {
    addressee == other || addressee == .board && other == .group
  }

  /// The same verb with what it answers: `results` in `data`, `furtherResults` where there are more, in words; proved
  /// by `evidence`, strongest first; `failures` beside those that any verb may have.
  func answering(
    _ results: [Parameter] = [], furtherResults: String? = nil, by evidence: [Evidence] = [],
    failing failures: [CommandFailure.Code] = [], example: JSONObject
  ) -> VerbDefinition {
    var definition = self
    definition.answer = VerbAnswer(
      results: results, furtherResults: furtherResults, evidence: evidence, failures: failures)
    definition.example = example
    return definition
  }

  /// The key by which senders of dangerous verbs show whom they mean (MQTT contract 3.1).
  static func confirmation(required isRequired: Bool = true) -> Parameter {
    Parameter("confirm", .text(1...64), required: isRequired, "the id of the board, as confirmation")
  }

  /// A verb whose arguments are all declared: they are checked and completed before they are interpreted.
  init(
    _ name: String, _ addressee: Addressee, _ summary: String, _ parameters: [Parameter],
    checked: @escaping @Sendable (JSONObject) throws(CommandFailure) -> Intent
  ) {
    self.init(
      name, addressee, summary, parameters,
      interpret: { (arguments: JSONObject) throws(CommandFailure) in
        try checked(ArgumentValidation.validate(arguments, against: parameters, of: name).values)
      })
  }
}
