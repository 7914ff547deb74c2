/// `timer-…` and `event-…` (MQTT contract 3.7).
enum TimerVerbs {
  static let name = Parameter("name", .boardName, required: true, "its name on this board")
  /// Asked for by the action `sleep` alone (MQTT contract 3.6).
  static let confirmation = Parameter(
    "confirm", .text(1...64), "the board's id; needed with the action sleep")
  private static let target = [
    Parameter("name", .boardName, "its name on this board"),
    Parameter("slot", .integer(0...255), "its slot, instead of name, for what another host made"),
    Parameter("all", .boolean, "instead of name: all that this gateway made of the kind"),
    Parameter("foreign", .boolean, "with all: what other hosts made, too"),
  ]

  static let create = VerbDefinition(
    "timer-create", .board, "Creates a timer on the board and what its ticks do.",
    [
      name, Parameter("period_ms", .integer(1...4_294_967_295), required: true, "from tick to tick"),
      Parameter("repetitions", .integer(0...65_534), standard: 0, "how many ticks; 0 = for ever"),
      Parameter("immediate", .boolean, standard: false, "whether the first comes at once"),
      Parameter("start", .boolean, standard: true, "whether it runs at once"),
      Parameter("action", .anything("an action or a list of them"), "what every tick does"),
      Parameter(
        "to", .list(of: .choice(["stream"]), 0...1), "stream: its ticks come as a stream of its name"),
      confirmation,
    ],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      let isStreamed = arguments["to"]?.array?.isEmpty == false
      let name = arguments["name"]?.string ?? ""
      guard !isStreamed || StreamCatalogue.find(name) == nil else {
        throw .invalid("\(name) is the name of a stream; the ticks of a timer come under a name of their own")
      }
      let repetitions = UInt16(clamping: arguments["repetitions"]?.integer ?? 0)
      var actions: [BoardAction] = []
      if let action = arguments["action"] { actions = try ActionParsing.parse(action) }
      return .device(
        .program(
          .createTimer(
            name,
            BoardProgram.Timer(
              periodMilliseconds: UInt32(clamping: arguments["period_ms"]?.integer ?? 0),
              repetitions: repetitions == 0 ? nil : repetitions,
              isImmediate: arguments["immediate"]?.bool ?? false, isStarted: arguments["start"]?.bool ?? true,
              actions: actions, isStreamed: isStreamed),
            declared: declaration(arguments, but: ["name", confirmation.name]))))
    }
  )
  .answering(
    [
      Parameter("slot", .count, required: true, "its slot"),
      Parameter("event_slots", .slots, required: true, "slots of what its ticks do"),
    ], by: [.response], failing: [.noSlots, .unsupported, .boardError],
    example: [
      "name": "minute", "period_ms": 60_000,
      "action": ["verb": "read", "args": ["what": "temperature", "source": "die", "deliver": "log"]],
    ])

  static let start = VerbDefinition(
    "timer-start", .board, "Starts a timer of the board.", [name],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      .device(.program(.startTimer(arguments["name"]?.string ?? "")))
    }
  )
  .answering(
    [Parameter("slot", .count, required: true, "its slot")], by: [.linkWrite], failing: [.boardError],
    example: ["name": "minute"])

  static let stop = VerbDefinition(
    "timer-stop", .board, "Stops a timer of the board.", [name],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      .device(.program(.stopTimer(arguments["name"]?.string ?? "")))
    }
  )
  .answering(
    [Parameter("slot", .count, required: true, "its slot")], by: [.linkWrite], failing: [.boardError],
    example: ["name": "minute"])

  /// What a removal cannot take.
  static let left = Parameter(
    "left", .list(of: .text(1...64), 0...256),
    "kind/slot of what is not removed: made by another host, or still in use")

  static let remove = VerbDefinition(
    "timer-remove", .board, "Removes a timer, its actions and the events that wait for it.", target,
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      .device(.program(.removeTimer(try Self.target("timer-remove", arguments))))
    }
  )
  .answering(
    [Parameter("removed", .list(of: .text(1...64), 0...256), required: true, "what went"), left],
    by: [.readback, .linkWrite], failing: [.boardError], example: ["name": "minute"])

  static let bind = VerbDefinition(
    "event-bind", .board, "Binds an action to an event on the board.",
    [
      name, Parameter("source", .text(1...64), required: true, "what happens"),
      Parameter("action", .anything("an action or a list of them"), required: true, "what it does then"),
      confirmation,
    ],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      guard let source = arguments["source"]?.string.flatMap({ EventSource($0) }) else {
        throw .invalid(
          "source must be button, button-press, button-release, timer:<name>, processor:<chain>, disconnect, "
            + "gpio:<pin>, detector:<name>, stream:<name>, power or charge")
      }
      let actions = try ActionParsing.parse(arguments["action"] ?? .null)
      return .device(
        .program(
          .bindEvent(
            arguments["name"]?.string ?? "", BoardProgram.Event(source, actions),
            declared: declaration(arguments, but: ["name", confirmation.name]))))
    }
  )
  .answering(
    [
      Parameter("event_slots", .slots, required: true, "slots of its packets"),
      Parameter("processors", .slots, required: true, "slots of the processors made for it"),
    ], by: [.response], failing: [.noSlots, .unsupported, .lowBattery, .boardError],
    example: [
      "name": "press-to-beacon", "source": "processor:presses",
      "action": ["verb": "ibeacon", "args": ["major": 0], "token": ["length": 2]],
    ])

  static let unbind = VerbDefinition(
    "event-remove", .board, "Removes what event-bind created.", target,
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      .device(.program(.removeEvent(try Self.target("event-remove", arguments))))
    }
  )
  .answering(
    [Parameter("removed", .list(of: .text(1...64), 0...256), required: true, "what went"), left],
    by: [.readback, .linkWrite], failing: [.boardError], example: ["name": "press-to-beacon"])

  /// What was said of a thing, without the keys that only say which, or for whom.
  static func declaration(_ arguments: JSONObject, but left: Set<String> = ["name"]) -> JSONObject {
    JSONObject(arguments.members.filter { !left.contains($0.key) }.map { ($0.key, $0.value) })
  }

  /// One of `name`, `slot` and `all`.
  static func target(
    _ verb: String, _ arguments: JSONObject
  ) throws(CommandFailure) -> ProgramCommand.Target {
    let (isAll, isForeign) = (arguments["all"]?.bool == true, arguments["foreign"]?.bool == true)
    switch (arguments["name"]?.string, arguments["slot"]?.integer) {
    case (let name?, nil) where !isAll && !isForeign: return .name(name)
    case (nil, let slot?) where !isAll && !isForeign: return .slot(UInt8(clamping: slot))
    case (nil, nil) where isAll: return .all(includingForeign: isForeign)
    default: throw .invalid("\(verb) needs name or slot or all: true, and foreign only with all")
    }
  }

  static let targetParameters = target
}
