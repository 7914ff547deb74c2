/// `stream-start` and `stream-stop` (MQTT contract 3.4).
enum StreamVerbs {
  private static let streamName = Parameter(
    "stream", .text(1...64), required: true,
    "a stream of the board's catalogue, one of its components, or a chain")
  private static let common = [
    streamName,
    Parameter("for_s", .number(1...604_800), "seconds until it stops by itself; until stopped if left out"),
    Parameter("nearest", .boolean, standard: false, "accept the nearest offered value of keys with a list"),
  ]

  static let start = VerbDefinition(
    "stream-start", .board, "Starts a stream, or reconfigures a running one.", common,
    furtherKeys: "the configuration keys of the stream"
  ) { (arguments: JSONObject) throws(CommandFailure) in
    var own = JSONObject()
    var configuration = JSONObject()
    for (key, value) in arguments.members {
      if common.contains(where: { $0.name == key }) { own[key] = value } else { configuration[key] = value }
    }
    let keys = try ArgumentValidation.validate(own, against: common, of: "stream-start").values
    let name = keys["stream"]?.string ?? ""
    let duration = keys["for_s"]?.number.map { Duration.milliseconds(Int64($0 * 1000)) }
    // Which chains there are, only the board's own program tells.
    let chain = ChainStream.isName(name) ? ChainStream(name: name) : nil
    guard let stream = StreamCatalogue.find(name)?.stream ?? chain?.definition else {
      throw unknownStream(name)
    }
    let valid = try stream.configure(configuration, acceptNearest: keys["nearest"]?.bool ?? false)
    return .link(
      .streamStart(
        StreamRequest(name: name, configuration: valid.values), adjusted: valid.adjusted, duration: duration))
  }
  .answering(
    [
      Parameter("stream", .text(1...64), required: true, "the stream"),
      Parameter("session", .text(26...26), "identifier of the stream session"),
      Parameter("config", .anything("an object"), required: true, "its configuration as it is in effect"),
      Parameter("adjusted", .texts, "keys whose value was moved to the nearest offered one"),
    ], by: [.response, .readback, .linkWrite], failing: [.unsupported, .noSlots, .boardError],
    example: ["stream": "acceleration", "rate_hz": 100, "range_g": 4, "for_s": 60])

  static let stop = VerbDefinition(
    "stream-stop", .board, "Stops a stream; \"*\" stops all.",
    [Parameter("stream", .text(1...64), required: true, "the stream to stop, or *")],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      let name = arguments["stream"]?.string ?? ""
      if name == "*" { return .link(.streamStop(nil)) }
      guard StreamCatalogue.find(name) != nil || ChainStream.isName(name) else { throw unknownStream(name) }
      return .link(.streamStop(name))
    }
  )
  .answering(
    [Parameter("stopped", .texts, required: true, "the streams")], by: [.readback, .linkWrite],
    failing: [.unsupported, .boardError], example: ["stream": "*"])

  /// Why a stream cannot be had by its name. `chains` are those of the board.
  static func unknownStream(_ name: String, chains: [String] = []) -> CommandFailure {
    .invalid(Suggestion.missing("stream", name, among: StreamCatalogue.all.map(\.name) + chains))
  }
}

extension Intent {
  /// Throws `invalid` where it means a stream that the board cannot have: neither of the catalogue nor of `chains`.
  public func checkStream(among chains: Set<String>) throws(CommandFailure) {
    guard case .board(let intent) = self else { return }
    guard case .batch(let batch) = intent else { return try intent.checkStream(among: chains) }
    var chains = chains
    for (index, step) in batch.steps.enumerated() {
      do throws(CommandFailure) { try step.intent.checkStream(among: chains) } catch {
        var failure = error
        failure.message = "commands[\(index)].args: \(error.message)"
        throw failure
      }
      // What a command makes is there for those behind it.
      if case .link(.device(.program(.createChain(let name, _, _)))) = step.intent { chains.insert(name) }
    }
  }
}

extension BoardIntent {
  fileprivate func checkStream(among chains: Set<String>) throws(CommandFailure) {
    guard case .link(let intent) = self else { return }
    let names: [String] =
      switch intent {
      case .streamStart(let request, _, _): [request.name]
      case .streamStop(let name): name.map { [$0] } ?? []
      case .log(.start(let requests, _, _)): requests.map(\.name)
      case .log(.stop(let names)): names ?? []
      default: []
      }
    for name in names where StreamCatalogue.find(name) == nil && !chains.contains(name) {
      throw StreamVerbs.unknownStream(name, chains: chains.sorted())
    }
  }
}
