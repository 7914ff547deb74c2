/// `log-…` (MQTT contract 3.5).
enum LogVerbs {
  static let start = VerbDefinition(
    "log-start", .board, "Logs streams to the board's flash.",
    [
      Parameter(
        "streams", .anything("an object from streams to their configurations"), required: true,
        "what to log, by stream; {} = defaults"),
      Parameter(
        "circular", .boolean,
        "whether the oldest entries are overwritten when the flash is full; unchanged if left out"),
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
      Parameter("session", .text(26...26), "identifier of the log session"),
      Parameter("capacity_s", .count, "seconds until the board is full"),
      Parameter("config", .anything("an object"), required: true, "configurations in effect, by stream"),
      Parameter("adjusted", .texts, "keys whose value was moved to the nearest offered one"),
    ], by: [.readback], failing: [.noSlots, .unsupported, .boardError],
    example: [
      "streams": ["acceleration": ["rate_hz": 100, "range_g": 4], "temperature-die": ["every": "60s"]]
    ])

  static let stop = VerbDefinition(
    "log-stop", .board, "Stops logging some streams, or all. Logged entries stay on the board.",
    [
      Parameter("streams", .list(of: .text(1...64), 1...64), "the streams; all"),
      Parameter(
        "slots", .list(of: .integer(0...31), 1...32),
        "instead of streams: loggers of other hosts, by slot; they are removed at once"),
    ],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      if let slots = arguments["slots"]?.array?.compactMap(\.integer) {
        guard arguments["streams"] == nil else { throw .invalid("send streams or slots, not both") }
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
      Parameter("removed", .slots, "slots of the removed loggers"),
    ], by: [.readback], failing: [.boardError], example: [:])

  static let download = VerbDefinition(
    "log-download", .board, "Downloads the board's log.",
    [
      Parameter("resume", .boolean, "whether the board logs afterwards; unchanged if left out"),
      Parameter(
        "clear", .boolean,
        "whether downloaded pages are erased on the board; as in its profile if left out"),
    ],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      .link(.log(.download(resume: arguments["resume"]?.bool, clear: arguments["clear"]?.bool)))
    }
  )
  .answering(
    [
      Parameter("session", .text(26...26), "identifier of the log session"),
      Parameter("entries_expected", .count, required: true, "entries on the board before"),
      Parameter("entries_stored", .count, required: true, "entries stored by the gateway"),
      Parameter("samples", .count, required: true, "samples decoded from them"),
      Parameter(
        "entries_lost", .count, required: true,
        "entries that the board counted but did not send in two read-outs"),
      Parameter("undecoded", .count, required: true, "entries of unknown loggers; stored raw"),
      Parameter("doubled", .count, required: true, "duplicate entries; stored once"),
      Parameter("complete", .boolean, required: true, "whether all entries were downloaded"),
      Parameter("cleared", .boolean, required: true, "whether they are erased on the board"),
      Parameter(
        "cleared_before", .choice(["published"]),
        "what of the profile could not be respected before entries were erased"),
      Parameter("streams", .texts, required: true, "what was logged"),
    ], by: [.readback], failing: [.busy, .boardError, .unsupported], example: ["clear": true])

  static let status = VerbDefinition(
    "log-status", .board, "Reports what the board logs, and how full its log is.", [],
    checked: { (_: JSONObject) throws(CommandFailure) in .link(.log(.status)) }
  )
  .answering(
    [
      Parameter("logging", .boolean, required: true, "whether the board logs"),
      Parameter("circular", .boolean, required: true, "whether the oldest entries are overwritten"),
      Parameter("entries", .count, required: true, "entries on the board"),
      Parameter("capacity", .count, required: true, "entries it can store"),
      Parameter("used_pct", .number(0...100), required: true, "of its capacity"),
      Parameter("boot", .count, required: true, "resets seen"),
      Parameter("undownloaded", .count, required: true, "entries that are not downloaded"),
      Parameter(
        "loggers",
        .rows([
          Parameter("slot", .count, required: true, "its slot"),
          Parameter("stream", .text(1...64), "what it logs"),
          Parameter("owner", .owner, required: true, "who set it up"),
        ]), required: true, "all of them"),
    ], by: [.response], failing: [.boardError], example: [:])

  static let clear = VerbDefinition(
    "log-clear", .board, "Erases what the board has logged; what was not downloaded is lost.",
    [
      VerbDefinition.confirmation(),
      Parameter(
        "discard", .integer(0...4_294_967_295),
        "how many log entries may be lost: exactly as many as the board stores"
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
