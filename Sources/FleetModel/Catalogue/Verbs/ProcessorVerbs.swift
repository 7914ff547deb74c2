/// `processor-…` (MQTT contract 3.8).
enum ProcessorVerbs {
  static let create = VerbDefinition(
    "processor-create", .board, "Creates a chain of data processors on the board.",
    [TimerVerbs.name] + Chain.parameters, furtherKeys: "the configuration keys of the source"
  ) { (arguments: JSONObject) throws(CommandFailure) in
    let rest = TimerVerbs.declaration(arguments)
    let given = JSONObject(arguments.members.filter { $0.key == "name" }.map { ($0.key, $0.value) })
    let keys = try ArgumentValidation.validate(given, against: [TimerVerbs.name], of: "processor-create")
      .values
    let name = keys["name"]?.string ?? ""
    // A detector has no samples that could be taken for the chain's: `activity` is both (MQTT contract 2.2, 2.4, 3.8).
    guard StreamCatalogue.find(name).map({ $0.stream.outlet == .event }) ?? true else {
      throw .invalid("\(name) is the name of a stream")
    }
    let chain = try Chain.parse(rest)
    var declared = rest
    declared["to"] = .array(chain.outputs.map(\.rawValue).sorted().map { .string($0) })
    return .device(.program(.createChain(name, chain, declared: declared)))
  }
  .answering(
    [
      Parameter("stream", .text(1...64), "name of its stream"),
      Parameter("processors", .slots, required: true, "slots of its steps"),
      Parameter(
        "fields",
        .rows([
          Parameter("name", .text(1...64), required: true, "its key"),
          Parameter("unit", .text(0...8), required: true, "its unit"),
          Parameter("type", .choice(["number", "integer", "flag"]), required: true, "kind of number"),
        ]), "what a sample holds"), Parameter("unit", .text(0...8), "its unit"),
    ], by: [.readback], failing: [.noSlots, .unsupported, .boardError],
    example: [
      "name": "activity", "from": "acceleration", "rate_hz": 50,
      "chain": ["rms", ["average": 16], ["threshold": ["boundary_g": 0.5, "mode": "binary"]]],
    ])

  private static let changeParameters = [
    TimerVerbs.name, Parameter("step", .integer(-28...27), standard: -1, "which step; negative from the end"),
    Parameter("parameters", .anything("an object"), "new parameters of its type"),
    Parameter("state", .number(-4_294_967_295...4_294_967_295), "what it keeps, in the unit of its output"),
    Parameter("reset", .boolean, "reset its state"),
  ]

  static let set = VerbDefinition(
    "processor-set", .board, "Changes a processor's parameters or state.", changeParameters,
    interpret: { (arguments: JSONObject) throws(CommandFailure) in
      .device(.program(.changeProcessor(try change(arguments))))
    }
  )
  .answering(
    [Parameter("processor", .count, required: true, "its slot")], by: [.readback, .linkWrite],
    failing: [.unsupported, .boardError],
    example: ["name": "activity", "step": -1, "parameters": ["boundary_g": 0.8, "mode": "binary"]])

  /// Also the action of that name.
  static func change(_ arguments: JSONObject) throws(CommandFailure) -> ProcessorChange {
    let keys = try ArgumentValidation.validate(arguments, against: changeParameters, of: "processor-set")
      .values
    var changes: [ProcessorChange.Change] = []
    if let parameters = keys["parameters"] {
      guard let parameters = parameters.object else { throw .invalid("parameters must be an object") }
      changes.append(.parameters(parameters))
    }
    if let state = keys["state"]?.number { changes.append(.state(state)) }
    if keys["reset"]?.bool == true { changes.append(.reset) }
    guard changes.count == 1, let change = changes.first else {
      throw .invalid("processor-set needs one of parameters, state and reset")
    }
    return ProcessorChange(
      chain: keys["name"]?.string ?? "", step: Int(keys["step"]?.integer ?? -1), change)
  }

  static let remove = VerbDefinition(
    "processor-remove", .board, "Removes a chain of processors.", TimerVerbs.targetParameters,
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      .device(.program(.removeChain(try TimerVerbs.target("processor-remove", arguments))))
    }
  )
  .answering(
    [Parameter("removed", .slots, required: true, "slots of its steps"), TimerVerbs.left],
    by: [.readback, .linkWrite],
    failing: [.boardError], example: ["name": "activity"])

  static let list = VerbDefinition(
    "processor-list", .board, "Lists the processors of the board.", [],
    checked: { (_: JSONObject) throws(CommandFailure) in .device(.program(.listProcessors)) }
  )
  .answering(
    [
      Parameter(
        "processors",
        .rows([
          Parameter("slot", .count, required: true, "its slot"),
          Parameter("name", .text(1...32), "the chain, if this gateway created it"),
          Parameter("type", .text(1...32), "what it does"),
          Parameter("from", .text(1...256), "its input"),
          Parameter("owner", .owner, required: true, "who created it"),
          Parameter("hex", .text(0...64), "its parameters"),
        ]), required: true, "all of them")
    ], by: [.response], failing: [.boardError], example: [:])
}
