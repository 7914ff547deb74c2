/// Whom a command addresses.
public enum CommandTarget: Hashable, Sendable {
  case board(BoardID)
  case group(String)
  case gateway(String)

  /// Whose verbs it takes.
  public var addressee: VerbDefinition.Addressee {
    switch self {
    case .board: .board
    case .group: .group
    case .gateway: .gateway
    }
  }
}

extension CommandRequest {
  /// What the request means. Throws `invalid` for an unknown verb or wrong arguments, `unsupported` for a verb that is
  /// declared but not built.
  public func interpret() throws(CommandFailure) -> Intent {
    let addressee = target.addressee
    guard let definition = VerbCatalogue.find(verb, for: addressee) else {
      throw .invalid(Suggestion.missing("verb", verb, among: VerbCatalogue.names(for: addressee)))
    }
    if isLight { return try VerbDefinition.interpretLight(arguments) }
    if definition.name == BatchVerb.name {
      return try BatchVerb.interpret(arguments) { (definition, arguments) throws(CommandFailure) in
        try command(definition.name, arguments).interpret()
      }
    }
    // Before its grammar: what is missing is the id of whom the command is meant for.
    if arguments["confirm"] == nil,
      definition.parameters.contains(where: { $0.name == "confirm" && $0.isRequired })
    {
      throw .invalid("\(verb) needs confirm=\(targetName)")
    }
    let intent = try definition.interpret(arguments)
    if definition.parameters.contains(where: { $0.name == "confirm" }) { try checkConfirmation() }
    guard arguments["confirm"] != nil || !ActionParsing.needsConfirmation(arguments["action"]) else {
      throw .invalid("\(verb) with the action sleep needs confirm: \(targetName)")
    }
    return intent.named(as: self)
  }

  /// The commands in a batch as if each had been sent alone, as far as they can be read; none of any other verb.
  public var commandsOfBatch: [CommandRequest] {
    guard verb == BatchVerb.name else { return [] }
    return BatchVerb.commands(in: arguments).map { command($0.verb, $0.arguments) }
  }

  private func command(_ verb: String, _ arguments: JSONObject) -> CommandRequest {
    var command = self
    (command.verb, command.arguments) = (verb, arguments)
    return command
  }

  /// What `confirm` must say: whom the command addresses (MQTT contract 3.1).
  private func checkConfirmation() throws(CommandFailure) {
    guard let confirmation = arguments["confirm"] else { return }
    let said = confirmation.string
    // Ids of boards are taken in either case.
    let isMeant = if case .board = target { said?.lowercased() == targetName } else { said == targetName }
    guard isMeant else {
      let whose = "\(target.addressee)"
      throw .invalid("confirm must be \(targetName), the id of the \(whose) that the command addresses")
    }
  }

  private var targetName: String {
    switch target {
    case .board(let board): board.description
    case .group(let name), .gateway(let name): name
    }
  }
}

/// One request that arrived and could be read, with what is needed to answer it. What it means is `VerbCatalogue`'s.
public struct CommandRequest: Hashable, Sendable {
  /// Whether it is for now or for the next contact.
  public enum Mode: String, Sendable { case now, queue }

  /// What tells a repeat.
  public struct Delivery: Hashable, Sendable {
    /// Hash of the payload, to tell a repeat from another request under the same identifier.
    public var payloadHash: UInt64
    /// Whether the broker marked it as delivered again.
    public var isRedelivery = false
  }

  /// The sender's identifier, or one of ours where it gave none.
  public var id: String
  /// Whether the sender gave the identifier, so that a repeat can be recognised.
  public var hasSenderID: Bool
  /// Whom it addresses.
  public var target: CommandTarget
  /// The verb as in the topic.
  public var verb: String
  /// The verb's arguments as sent.
  public var arguments: JSONObject
  /// Now or at the next contact.
  public var mode: Mode
  /// Until when the work may begin.
  public var expires: Timestamp
  /// Whether the sender gave that time, by its own clock.
  public var isExpiryGiven: Bool = false
  /// When the sender made it, where it said so.
  public var issued: Timestamp?
  /// When it arrived.
  public var arrived: Timestamp
  /// How it was delivered.
  public var delivery: Delivery
  /// Whether it came in Home Assistant's JSON light form; `arguments` then hold its keys.
  public var isLight: Bool = false
  /// Where else its answers go.
  public var replyTo: ReplyAddress
  /// Of a group's job: how it goes about its members, as sent; nil = as usual.
  public var job: JSONValue?
  /// What the sender said of itself.
  public var sender: [UserProperty] = []

  /// Takes a request's parts.
  public init(
    id: String, hasSenderID: Bool, target: CommandTarget, verb: String, arguments: JSONObject, mode: Mode,
    expires: Timestamp, issued: Timestamp?, arrived: Timestamp, payloadHash: UInt64,
    replyTo: ReplyAddress = ReplyAddress()
  ) {
    self.id = id
    self.hasSenderID = hasSenderID
    self.target = target
    self.verb = verb
    self.arguments = arguments
    self.mode = mode
    self.expires = expires
    self.issued = issued
    self.arrived = arrived
    self.replyTo = replyTo
    delivery = Delivery(payloadHash: payloadHash)
  }
}
