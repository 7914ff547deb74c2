/// `batch` (MQTT contract 3.11).
package enum BatchVerb {
  package static let name = "batch"
  private static let parameters = [
    Parameter(
      "commands",
      .list(
        of: .object([
          Parameter("verb", .text(1...32), required: true, "a verb of boards, but batch"),
          Parameter("args", .anything("an object"), "its arguments; none if left out"),
        ]), 1...16), required: true,
      "the verbs and their arguments, in their order; one that ends the connection only as the last"),
    Parameter(
      "on_failure", .choice(["stop", "continue"]), standard: "stop",
      "whether what is behind a command that was not done is skipped or begun all the same"),
  ]

  static let batch = VerbDefinition(
    name, .board, "Carries out several verbs of boards in their order, as one command with one reply.",
    parameters,
    interpret: { (arguments: JSONObject) throws(CommandFailure) in
      try interpret(arguments) { (definition, arguments) throws(CommandFailure) in
        try definition.interpret(arguments)
      }
    }
  )
  .answering(
    [
      Parameter(
        "results",
        .rows([
          Parameter("verb", .text(1...32), required: true, "the verb"),
          Parameter(
            "stage", .choice(["done", "failed", "unknown", "skipped", "running", "pending"]), required: true,
            "how it ended; running and pending only on the way"),
          Parameter("evidence", .words(of: Evidence.self), "as if it had been sent alone"),
          Parameter("data", .anything("an object"), "as if it had been sent alone"),
          Parameter("code", .words(of: CommandFailure.Code.self), "why it failed"),
          Parameter("message", .text(1...4_096), "the same in a sentence"),
          Parameter("truncated", .boolean, "true: data is left out, because the reply would be too long"),
        ]), required: true, "one for each command, in the same order")
    ], by: [.readback, .response, .writeAcknowledged, .linkWrite],
    failing: [
      .undownloadedData, .lowBattery, .noSlots, .unsupported, .boardError, .notPublished,
    ],
    example: [
      "commands": [
        ["verb": "led", "args": ["color": "red"]], ["verb": "read", "args": ["what": "battery"]],
      ], "on_failure": "stop",
    ])

  /// What can be read of the commands in a batch's arguments, right or not: permissions and confirmations are judged by
  /// it.
  package static func commands(in arguments: JSONObject) -> [(verb: String, arguments: JSONObject)] {
    (arguments["commands"]?.array ?? []).compactMap { command in
      guard let object = command.object, let verb = object["verb"]?.string else { return nil }
      return (verb, object["args"]?.object ?? JSONObject())
    }
  }

  /// Checks a batch and every command in it, before anything of it runs. `read` finds the meaning of one command.
  /// Throws what is wrong with the first that is wrong, with its place.
  static func interpret(
    _ arguments: JSONObject,
    _ read: (VerbDefinition, JSONObject) throws(CommandFailure) -> Intent
  ) throws(CommandFailure) -> Intent {
    let values = try ArgumentValidation.validate(arguments, against: parameters, of: name).values
    let elements = values["commands"]?.array ?? []
    var steps: [BatchCommand.Step] = []
    for (index, element) in elements.enumerated() {
      let place = "commands[\(index)]"
      guard let arguments = (element.object?["args"] ?? [:]).object else {
        throw .invalid("\(place).args must be an object")
      }
      let definition = try definition(element.object?["verb"]?.string ?? "", at: place)
      let intent = try intent(of: definition, arguments, at: place, read)
      guard index == elements.count - 1 || !intent.endsLink else {
        throw .invalid(
          "\(place).verb: \(definition.name) ends the connection to the board; put it last, or send it alone")
      }
      steps.append(BatchCommand.Step(verb: definition.name, intent: intent))
    }
    return .board(.batch(BatchCommand(steps, continuesAfterFailure: values["on_failure"] == "continue")))
  }

  private static func definition(
    _ verb: String, at place: String
  ) throws(CommandFailure) -> VerbDefinition {
    guard verb != name else {
      throw .invalid("\(place).verb: a batch cannot hold another; put its commands into this one")
    }
    if let definition = VerbCatalogue.find(verb, for: .board) { return definition }
    guard VerbCatalogue.find(verb, for: .gateway) == nil else {
      throw .invalid("\(place).verb: \(verb) is a verb of gateways; send it to the gateway")
    }
    let names = VerbCatalogue.names(for: .board).filter { $0 != name }
    throw .invalid("\(place).verb: \(Suggestion.missing("verb", verb, among: names))")
  }

  private static func intent(
    of definition: VerbDefinition, _ arguments: JSONObject, at place: String,
    _ read: (VerbDefinition, JSONObject) throws(CommandFailure) -> Intent
  ) throws(CommandFailure) -> BoardIntent {
    do throws(CommandFailure) {
      guard case .board(let intent) = try read(definition, arguments) else {
        throw .invalid("\(definition.name) is a verb of gateways; send it to the gateway")
      }
      return intent
    } catch {
      var failure = error
      failure.message = "\(place).\(path(of: arguments, to: definition)): \(error.message)"
      throw failure
    }
  }

  /// Which of the arguments are at fault, as far as their declaration tells: `args.color`.
  private static func path(of arguments: JSONObject, to definition: VerbDefinition) -> String {
    let branch = definition.fork.flatMap { fork in
      fork.branches.first { $0.word == arguments[fork.key]?.string }
    }
    let takesMore = definition.furtherKeys != nil && branch == nil
    var check = ArgumentCheck()
    _ = check.members(
      of: arguments, against: definition.parameters + (branch?.parameters ?? []),
      at: .request(definition.name))
    let fault = check.faults.first { !takesMore || $0.part != .key || $0.place.steps.count > 1 }
    return (["args"] + [fault?.path].compactMap { $0 }).joined(separator: ".")
  }
}
