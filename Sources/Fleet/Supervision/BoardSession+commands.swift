import BoardKit
import FleetModel

/// Commands of a session.
extension BoardSession {
  /// Queues a command behind what the board is doing and waits for its end.
  func perform(
    _ intent: Intent, expires: Timestamp, _ stages: CommandStages
  ) async -> CommandOutcome {
    await withCheckedContinuation { enqueue(.perform(intent, expires: expires, stages, $0)) }
  }

  /// Changes what the board should stream; takes effect in its turn.
  func order(streams: [String: StreamRequest], button: Bool) {
    guard streams != orders.streams || button != orders.button else { return }
    orders.streams = streams
    orders.button = button
    enqueue(.apply)
  }

  /// Returns once all that was ordered before was tried: whether it was.
  func settle() async -> Bool { await withCheckedContinuation { enqueue(.settled($0)) } }

  func carryOut(_ intent: Intent, _ stages: CommandStages) async -> CommandOutcome {
    guard await stages.sent() else { return .failed(.cancelled) }
    // Before anything is written: the link may end before the driver hears of it.
    isLeaving = intent.endsLink
    defer { if end == nil { isLeaving = false } }
    switch intent {
    case .streamStart(let request, let adjusted, _): return await start(request, adjusted: adjusted)
    case .streamStop(let name): return await stop(name)
    case .read(let request):
      let outcome = sifted(await driver.perform(.read(request)), request)
      if request.what == "battery", case .done(_, let data) = outcome,
        let percent = data["battery_pct"]?.number, let millivolts = data["battery_mv"]?.number
      {
        orders.lastBattery = now
        noteBattery([percent, millivolts])
      }
      return outcome
    case .disconnect(_, by: .host):
      await link.disconnect()
      return .done(evidence: .response, data: JSONObject())
    case .program(let command): return await carryOut(command)
    case .log(let command): return await carryOut(command, stages)
    case .settings(let command): return await carryOut(command)
    default: return await driver.perform(intent)
    }
  }

  /// An answer without what cannot be, which is counted and told.
  private func sifted(_ outcome: CommandOutcome, _ request: ReadRequest) -> CommandOutcome {
    guard case .done(let evidence, let data) = outcome else { return outcome }
    let answer = ReadAnswer(data, to: request.what, request.selectors)
    if let stream = answer.stream {
      intake.noteAnswer(of: stream, answer.impossible.first)
    }
    return answer.outcome(by: evidence)
  }

  private func start(_ request: StreamRequest, adjusted: [String]) async -> CommandOutcome {
    let before = orders.streams
    let keyBefore = keys[request.name]
    let isSame = before[request.name] == request
    let wasRunning = isSame && keyBefore.flatMap { intake.streams[$0] } != nil
    orders.streams[request.name] = request
    // What is changed has to go by the others, as if it were new.
    if !isSame, keyBefore != keys.values.max() { keys[request.name] = newKey() }
    guard let applied = await applyForCommand() else { return linkOutcome() }
    if let refusal = refusal(of: request.name, in: applied) {
      orders.streams = before
      keys[request.name] = keyBefore
      _ = await applyForCommand()
      return .failed(refusal)
    }
    reviewChains()
    guard let key = keys[request.name] else {
      return .failed(CommandFailure(.internal, "the stream has no key"))
    }
    guard let stream = intake.streams[key] else {
      return .failed(CommandFailure(.boardError, "the stream did not start"))
    }
    var data: JSONObject = ["stream": .string(request.name), "session": .string(stream.session.description)]
    data["config"] = .object(Self.visible(stream.active.request.configuration))
    data["adjusted"] = .array(adjusted.map { .string($0) })
    // A sample proves that it runs, and not what it is set to.
    let evidence = stream.active.doubts.contains(.configUnverified) ? Evidence.linkWrite : .response
    if wasRunning, stream.hasSamples { return .done(evidence: evidence, data: data) }
    guard let patience = stream.patience else { return .done(evidence: applied.evidence, data: data) }
    if stream.active.isPolled { await poll(key) }
    if intake.streams[key]?.hasSamples == true { return .done(evidence: evidence, data: data) }
    if await firstSample(of: key, within: patience) {
      await handOutNews()
      return .done(evidence: evidence, data: data)
    }
    if end != nil { return linkOutcome() }
    // What boards are known to keep to themselves is told as silence, and is no failure (MQTT contract 2.2).
    if stream.active.mayBeSilent { return .done(evidence: applied.evidence, data: data) }
    orders.streams = before
    _ = await applyForCommand()
    return .failed(
      CommandFailure(
        .boardError,
        "no sample of \(request.name) within \(DurationText.format(patience)); the stream was stopped again"))
  }

  /// Why a stream is not had; nil where it is.
  private func refusal(of name: String, in applied: StreamsApplied) -> CommandFailure? {
    let isChain = orders.program.entries[ProgramKey(.chain, name)] != nil
    guard isChain, !driver.chains.contains(where: { $0.name == name }) else {
      return keys[name].flatMap { applied.refused[$0] }
    }
    return feeding.refusals[ProgramKey(.chain, name)]
      ?? .invalid("\(name) ends in a buffer, which tells nothing by itself; read it")
  }

  private func stop(_ name: String?) async -> CommandOutcome {
    let stopped = name.map { orders.streams[$0] == nil ? [] : [$0] } ?? orders.streams.keys.sorted()
    for stream in stopped { orders.streams[stream] = nil }
    guard let applied = await applyForCommand() else { return linkOutcome() }
    reviewChains()
    return .done(evidence: applied.evidence, data: ["stopped": .array(stopped.map { .string($0) })])
  }

  /// Configuration as the sender knows it: what only concerns the gateway's lanes is left out unless it was set.
  private static func visible(_ configuration: JSONObject) -> JSONObject {
    var shown = configuration
    if shown["record"] == true { shown["record"] = nil }
    return shown
  }

  func linkOutcome() -> CommandOutcome {
    .unknown(message: "the link ended while the command ran: \(end?.message ?? "no reason given")")
  }
}
