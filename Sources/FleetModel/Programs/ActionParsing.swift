/// Reads actions: verbs whose meaning a board can keep (MQTT contract 3.6).
public enum ActionParsing {
  private static let shape = [
    Parameter("verb", .text(1...32), required: true, "what is done"),
    Parameter("args", .anything("an object"), "arguments of the verb"),
    Parameter(
      "token",
      .object([
        Parameter("length", .integer(1...7), required: true, "bytes to copy"),
        Parameter("offset", .integer(0...15), standard: 0, "where they begin in the signal"),
        Parameter("dest", .integer(0...17), standard: 0, "where they go in the parameters"),
        Parameter("packet", .integer(0...27), standard: 0, "into which packet"),
      ]), "copies bytes of the trigger"),
  ]

  private static let name = [Parameter("name", .boardName, required: true, "which")]

  /// Reads one action or a list of 1–28. Throws `invalid` and what is wrong.
  public static func parse(_ value: JSONValue) throws(CommandFailure) -> [BoardAction] {
    guard let list = value.array else { return [try action(value)] }
    guard (1...28).contains(list.count) else {
      throw .invalid("action must be one action or a list of 1 to 28")
    }
    var actions: [BoardAction] = []
    for value in list { actions.append(try action(value)) }
    return actions
  }

  /// The verbs that an argument with one action or a list of them names, read or not, and those of actions within them.
  static func verbs(in value: JSONValue?) -> [String] {
    (value?.array ?? [value ?? .null]).compactMap(\.object).flatMap { action in
      let inner = action["args"]?.object?["action"].map { verbs(in: $0) } ?? []
      return (action["verb"]?.string).map { [$0] + inner } ?? inner
    }
  }

  /// Whether an argument with one action or a list of them holds one that only the board's id releases: the verb around
  /// it must carry `confirm` then.
  static func needsConfirmation(_ value: JSONValue?) -> Bool { verbs(in: value).contains("sleep") }

  private static func action(_ value: JSONValue) throws(CommandFailure) -> BoardAction {
    guard let object = value.object else { throw .invalid("an action is an object with verb and args") }
    let keys = try ArgumentValidation.validate(object, against: shape, of: "an action").values
    let arguments = keys["args"] ?? .object([:])
    guard let arguments = arguments.object else { throw .invalid("args of an action must be an object") }
    let verb = keys["verb"]?.string ?? ""
    let command = try command(verb, arguments)
    let token = keys["token"]?.object.map { token in
      func byte(_ key: String) -> UInt8 { UInt8(clamping: token[key]?.integer ?? 0) }
      return BoardAction.Token(
        length: byte("length"), offset: byte("offset"), destination: byte("dest"), packet: Int(byte("packet"))
      )
    }
    if token != nil, case .macro = command {
      throw CommandFailure(.unsupported, "macro-run cannot take a token")
    }
    return BoardAction(command, token: token)
  }

  private static func command(
    _ verb: String, _ arguments: JSONObject
  ) throws(CommandFailure) -> BoardAction.Command {
    switch verb {
    case "timer-start", "timer-stop": return .timer(try named(verb, arguments), isOn: verb == "timer-start")
    case "macro-run": return .macro(try named(verb, arguments))
    case "stream-start", "stream-stop":
      return .stream(try stream(verb, arguments), isOn: verb == "stream-start")
    case "log-start", "log-stop", "reset", "sleep", "disconnect":
      guard arguments.isEmpty else { throw .invalid("\(verb) takes no arguments as an action") }
      return bare[verb] ?? .logging(verb == "log-start")
    case "ibeacon": return .beacon(try BeaconVerb.action(arguments))
    case "raw": return .raw(try RawVerb.action(arguments))
    case "processor-set": return .processor(try ProcessorVerbs.change(arguments))
    case "read", "i2c-read", "spi-read": return try read(verb, arguments)
    default: return try verbCommand(verb, arguments)
    }
  }

  /// Verbs that mean the same by themselves and as actions.
  private static func verbCommand(
    _ verb: String, _ arguments: JSONObject
  ) throws(CommandFailure) -> BoardAction.Command {
    guard let definition = VerbCatalogue.find(verb, for: .board) else {
      let near = Suggestion.nearest(to: verb, in: VerbCatalogue.names(for: .board))
      throw .invalid(
        "there is no action \(PrintableText.quoted(verb))" + (near.map { "; did you mean \($0)?" } ?? ""))
    }
    guard case .board(.link(.device(let intent))) = try definition.interpret(arguments) else {
      throw notAnAction(verb)
    }
    switch intent {
    case .led(let command): return .led(command)
    case .haptic(let command): return .haptic(command)
    case .pin(let command): return .pin(command)
    case .bus(let command): return .bus(command, forLog: false)
    case .settings(let command):
      guard !command.isPersistent else { throw .invalid("persist cannot be used in an action; leave it out") }
      return .settings(command.settings)
    case .program(.bindEvent(let name, let event, _)): return .bindEvent(name, event)
    case .program(.createTimer(let name, let timer, _)): return .createTimer(name, timer)
    case .program(.createChain(let name, var chain, _)):
      // Who listens is nothing that a board could remember.
      if arguments["to"] == nil { chain.outputs = [] }
      return .createChain(name, chain)
    default: throw notAnAction(verb)
    }
  }

  /// Actions that say all by their name.
  private static let bare: [String: BoardAction.Command] = [
    "reset": .reset, "sleep": .sleep, "disconnect": .disconnect,
  ]

  private static func notAnAction(_ verb: String) -> CommandFailure {
    .invalid(
      "\(verb) cannot be an action, because a board cannot do it by itself; it can do "
        + "led, haptic, gpio, i2c-read, i2c-write, spi-read, spi-write, ibeacon, read, stream-start, stream-stop, "
        + "log-start, log-stop, timer-start, timer-stop, macro-run, processor-set, event-bind, timer-create, "
        + "processor-create, settings, reset, sleep, disconnect and raw")
  }

  /// How the stream is configured is what it was started with; an action only switches its sensor.
  private static func stream(
    _ verb: String, _ arguments: JSONObject
  ) throws(CommandFailure) -> String {
    let others = arguments.members.map(\.key).filter { $0 != "stream" }
    guard others.isEmpty else {
      throw .invalid(
        "\(verb) as an action takes stream only, not \(others.joined(separator: ", ")); how the stream runs is what "
          + "its profile or an ordinary stream-start says")
    }
    let name = arguments["stream"]?.string ?? ""
    guard name != "*" else { throw .invalid("\(verb) as an action takes one stream by its name, not *") }
    guard StreamCatalogue.find(name) != nil else { throw StreamVerbs.unknownStream(name) }
    return name
  }

  private static func read(
    _ verb: String, _ arguments: JSONObject
  ) throws(CommandFailure) -> BoardAction.Command {
    var rest = arguments
    let deliver = rest["deliver"] ?? "host"
    rest["deliver"] = nil
    guard deliver == "host" || deliver == "log" else { throw .invalid("deliver must be host or log") }
    let forLog = deliver == "log"
    switch try VerbCatalogue.find(verb, for: .board)?.interpret(rest) {
    case .board(.link(.device(.read(let request)))): return .read(request, forLog: forLog)
    case .board(.link(.device(.bus(let command)))): return .bus(command, forLog: forLog)
    default: throw notAnAction(verb)
    }
  }

  private static func named(_ verb: String, _ arguments: JSONObject) throws(CommandFailure) -> String {
    let keys = try ArgumentValidation.validate(arguments, against: name, of: verb).values
    return keys["name"]?.string ?? ""
  }
}
