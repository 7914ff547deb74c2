/// `log-…` (MQTT contract 3.5).
enum LogVerbs {
  static let start = VerbDefinition(
    "log-start", .board, "Has the board keep streams on its flash.",
    [
      Parameter(
        "streams", .anything("an object from streams to their configurations"), required: true,
        "what to log, by stream; {} = defaults"),
      Parameter(
        "circular", .boolean, "whether the oldest entries give way when the board is full; as before"),
    ],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      guard let streams = arguments["streams"]?.object, !streams.isEmpty else {
        throw .invalid("streams must be an object from streams to their configurations, with at least one")
      }
      var requests: [StreamRequest] = []
      var adjusted: [String] = []
      for (name, value) in streams.members {
        let (request, moved) = try LogVerbs.request(name, value)
        requests.append(request)
        adjusted += moved.map { "\(name).\($0)" }
      }
      return .link(.log(.start(requests, isCircular: arguments["circular"]?.bool, adjusted: adjusted)))
    }
  )
  .answering(
    [
      Parameter("loggers", .map(of: .slots, 0...64), required: true, "slots by stream"),
      Parameter("session", .text(26...26), "identifier of the run"),
      Parameter("capacity_s", .count, "seconds until the board is full"),
      Parameter("config", .anything("an object"), required: true, "configurations in effect, by stream"),
      Parameter("adjusted", .texts, "keys whose value was moved to the nearest offered one"),
    ], by: [.readback], failing: [.noSlots, .unsupported, .boardError],
    example: [
      "streams": ["acceleration": ["rate_hz": 100, "range_g": 4], "temperature-die": ["every": "60s"]]
    ])

  static let stop = VerbDefinition(
    "log-stop", .board, "Logs some streams no longer, or nothing at all. What was logged stays on the board.",
    [
      Parameter("streams", .list(of: .text(1...64), 1...64), "the streams; all"),
      Parameter(
        "slots", .list(of: .integer(0...31), 1...32),
        "instead of streams: loggers that others left, by slot; they are removed at once"),
    ],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      if let slots = arguments["slots"]?.array?.compactMap(\.integer) {
        guard arguments["streams"] == nil else { throw .invalid("either streams or slots, not both") }
        return .link(.log(.removeLoggers(slots.map { UInt8(clamping: $0) })))
      }
      let names = arguments["streams"]?.array?.compactMap(\.string)
      for name in names ?? [] where StreamCatalogue.find(name) == nil && !ChainStream.isName(name) {
        throw StreamVerbs.unknownStream(name)
      }
      return .link(.log(.stop(names)))
    }
  )
  .answering(
    [
      Parameter("logging", .boolean, required: true, "whether the board still logs"),
      Parameter("entries", .count, required: true, "entries on the board"),
      Parameter("removed", .slots, "slots of the loggers that went"),
    ], by: [.readback], failing: [.boardError], example: [:])

  static let download = VerbDefinition(
    "log-download", .board, "Brings home what the board has logged.",
    [
      Parameter("resume", .boolean, "whether the board logs afterwards; as before"),
      Parameter(
        "clear", .boolean,
        "whether the log is erased on the board, page by page as it comes in whole; as its profile says"),
    ],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      .link(.log(.download(resume: arguments["resume"]?.bool, clear: arguments["clear"]?.bool)))
    }
  )
  .answering(
    [
      Parameter("session", .text(26...26), "identifier of the run"),
      Parameter("entries_expected", .count, required: true, "entries on the board before"),
      Parameter("entries_stored", .count, required: true, "entries that are on our disk"),
      Parameter("samples", .count, required: true, "samples made of them"),
      Parameter(
        "entries_lost", .count, required: true,
        "entries that the board counted and handed out in neither of two read-outs"),
      Parameter("undecoded", .count, required: true, "entries of loggers that nobody knows; kept raw"),
      Parameter("doubled", .count, required: true, "entries that came twice; kept once"),
      Parameter("complete", .boolean, required: true, "whether all came"),
      Parameter("cleared", .boolean, required: true, "whether they are erased on the board"),
      Parameter(
        "cleared_before", .choice(["published"]),
        "what the profile asks for and could not be waited for before something was erased"),
      Parameter("streams", .texts, required: true, "what was logged"),
    ], by: [.readback], failing: [.busy, .boardError, .unsupported], example: ["clear": true])

  static let status = VerbDefinition(
    "log-status", .board, "Tells what the board logs, and how much it has logged.", [],
    checked: { (_: JSONObject) throws(CommandFailure) in .link(.log(.status)) }
  )
  .answering(
    [
      Parameter("logging", .boolean, required: true, "whether the board logs"),
      Parameter("circular", .boolean, required: true, "whether the oldest entries give way"),
      Parameter("entries", .count, required: true, "entries on the board"),
      Parameter("capacity", .count, required: true, "entries it can hold"),
      Parameter("used_pct", .number(0...100), required: true, "of its capacity"),
      Parameter("boot", .count, required: true, "resets seen"),
      Parameter("undownloaded", .count, required: true, "entries that are not on our disk"),
      Parameter(
        "loggers",
        .rows([
          Parameter("slot", .count, required: true, "its slot"),
          Parameter("stream", .text(1...64), "what it logs"),
          Parameter("owner", .owner, required: true, "whose it is"),
        ]), required: true, "all of them"),
    ], by: [.response], failing: [.boardError], example: [:])

  static let clear = VerbDefinition(
    "log-clear", .board, "Erases what the board has logged; what was not downloaded is lost.",
    [
      VerbDefinition.confirmation(),
      Parameter(
        "discard", .integer(0...4_294_967_295), "how many log entries may be lost: as many as the board holds"
      ),
    ],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      .link(.log(.clear(discard: arguments["discard"]?.integer)))
    }
  )
  .answering(
    [
      Parameter("dropped", .count, required: true, "entries erased"),
      Parameter("entries", .count, required: true, "entries left"),
    ], by: [.readback], failing: [.undownloadedData, .boardError],
    example: ["confirm": "e5a1c2d3f4b6", "discard": 812])

  private static func request(
    _ name: String, _ value: JSONValue
  ) throws(CommandFailure) -> (StreamRequest, adjusted: [String]) {
    // Which chains there are, only the board's own program tells.
    let chain = ChainStream.isName(name) ? ChainStream(name: name) : nil
    guard let stream = StreamCatalogue.find(name)?.stream ?? chain?.definition else {
      throw StreamVerbs.unknownStream(name)
    }
    guard var configuration = value.object else {
      throw .invalid("the configuration of \(name) must be an object; {} = defaults")
    }
    let nearest = try ArgumentValidation.validate(
      JSONObject(configuration.members.filter { $0.key == "nearest" }), against: [LogVerbs.nearest], of: name)
    configuration["nearest"] = nil
    let valid = try stream.configure(
      configuration, for: .log, acceptNearest: nearest.values["nearest"]?.bool ?? false)
    return (StreamRequest(name: name, configuration: valid.values), valid.adjusted)
  }

  private static let nearest = Parameter(
    "nearest", .boolean, standard: false, "accept the nearest offered value of keys with a list")
}
