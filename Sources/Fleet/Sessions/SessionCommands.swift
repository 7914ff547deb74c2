import BoardKit
import FleetModel

/// Carrying out commands on a link. Confined to its session.
final class SessionCommands {
  private let context: SessionContext
  private let link: any BoardLink
  private let setup: SessionSetup
  private let logs: LogCommands
  /// Whether a command under way, or just done, has the board leave.
  private(set) var isLeaving = false

  init(_ context: SessionContext, link: any BoardLink, setup: SessionSetup, logs: LogCommands) {
    (self.context, self.link, self.setup, self.logs) = (context, link, setup, logs)
  }

  func carryOut(_ intent: LinkIntent, _ stages: CommandProgress) async -> CommandOutcome {
    guard await stages.sent() else { return .failed(.cancelled) }
    // Before anything is written: the link may end before the driver hears of it.
    isLeaving = intent.endsLink
    defer { if context.end == nil { isLeaving = false } }
    switch intent {
    case .streamStart(let request, let adjusted, _): return await start(request, adjusted: adjusted)
    case .streamStop(let name): return await stop(name)
    case .disconnect:
      await link.disconnect()
      return .done(evidence: .response, data: JSONObject())
    case .log(let command): return await logs.carryOut(command, stages)
    case .device(.read(let request)): return await read(request)
    case .device(.program(let command)): return await setup.program.carryOut(command)
    case .device(.sensor(let command)): return await perform(command)
    case .device(.settings(let command)): return await setup.settings.carryOut(command)
    case .device(.enterBootloader):
      for characteristic in context.environment.family.notifications {
        await link.unsubscribe(from: characteristic)
      }
      return await context.driver.perform(.enterBootloader)
    case .device(let device): return await context.driver.perform(device)
    }
  }

  /// What thins samples out changes how often those come that run.
  private func perform(_ command: SensorCommand) async -> CommandOutcome {
    let outcome = await context.driver.perform(.sensor(command))
    if case .downsample = command, case .done = outcome {
      await setup.program.reportMemory()
      await setup.streams.apply()
    }
    return outcome
  }

  /// Answers without what cannot be, which is counted and reported.
  private func read(_ request: ReadRequest) async -> CommandOutcome {
    let outcome = await context.driver.perform(.read(request))
    guard case .done(let evidence, let data) = outcome else {
      // What the board was found never to answer is remembered.
      await setup.program.reportMemory()
      return outcome
    }
    let answer = ReadAnswer(data, to: request.what, request.selectors)
    if let stream = answer.stream { context.intake.noteAnswer(of: stream, answer.impossible.first) }
    let sifted = answer.outcome(by: evidence)
    if request.what == "battery", case .done(_, let data) = sifted,
      let percent = data["battery_pct"]?.number, let millivolts = data["battery_mv"]?.number
    {
      setup.polls.tookBattery([percent, millivolts])
    }
    return sifted
  }

  private func start(_ request: StreamRequest, adjusted: [String]) async -> CommandOutcome {
    let streams = setup.streams
    let (before, keyBefore) = (context.orders.wanted.streams, streams.keys[request.name])
    let isSame = before[request.name] == request
    let wasRunning = isSame && keyBefore.flatMap { context.intake.streams[$0] } != nil
    context.orders.wanted.streams[request.name] = request
    // What is changed has to go by the others, as if it were new.
    if !isSame { streams.keys.putLast(request.name) }
    guard let applied = await streams.applyForCommand() else { return context.linkOutcome }
    if let refusal = refusal(of: request.name, in: applied) {
      context.orders.wanted.streams = before
      streams.keys[request.name] = keyBefore
      _ = await streams.applyForCommand()
      return .failed(refusal)
    }
    streams.reviewChains()
    guard let key = streams.keys[request.name] else {
      return .failed(CommandFailure(.internal, "internal error: the stream has no key; please report it"))
    }
    guard let stream = context.intake.streams[key] else {
      return .failed(CommandFailure(.boardError, "the stream did not start"))
    }
    let data = Self.data(of: stream, adjusted: adjusted)
    // A sample proves that it runs, and not what it is set to.
    let evidence = stream.active.doubts.contains(.configUnverified) ? Evidence.linkWrite : .response
    if wasRunning, stream.hasSamples { return .done(evidence: evidence, data: data) }
    guard let timeout = stream.silenceTimeout else { return .done(evidence: applied.evidence, data: data) }
    if stream.active.isPolled { await setup.polls.poll(key) }
    if context.intake.streams[key]?.hasSamples == true { return .done(evidence: evidence, data: data) }
    // What a reading found out is known; nobody reads once more before this is answered.
    let found = context.intake.streams[key]?.failure
    if found == nil, await streams.firstSample(of: key, within: timeout) {
      await context.flushReports()
      return .done(evidence: evidence, data: data)
    }
    if context.end != nil { return context.linkOutcome }
    // What boards are known to keep to themselves is reported as silence, and is no failure (MQTT contract 2.2).
    if stream.active.mayBeSilent { return .done(evidence: applied.evidence, data: data) }
    context.orders.wanted.streams = before
    _ = await streams.applyForCommand()
    let silence = CommandFailure(
      .boardError, "no sample of \(request.name) was received within \(DurationText.format(timeout))")
    var failure = found ?? silence
    failure.message += "; the stream was stopped again"
    return .failed(failure)
  }

  /// What the sender is answered about a stream. Of its configuration what only concerns the gateway's lanes is left
  /// out unless it was set.
  private static func data(of stream: SessionStream, adjusted: [String]) -> JSONObject {
    var shown = stream.active.request.configuration
    if shown["record"] == true { shown["record"] = nil }
    var data: JSONObject = [
      "stream": .string(stream.name), "session": .string(stream.session.description),
    ]
    data["config"] = .object(shown)
    data["adjusted"] = .array(adjusted.map { .string($0) })
    return data
  }

  /// Why a stream is not had; nil where it is.
  private func refusal(of name: String, in applied: StreamsApplied) -> CommandFailure? {
    let key = ProgramKey(.chain, name)
    let isChain = context.orders.wanted.program.entries[key] != nil
    guard isChain, !context.driver.chains.contains(where: { $0.name == name }) else {
      return setup.streams.keys[name].flatMap { applied.refused[$0] }
    }
    return setup.streams.chainSources.refusals[key]
      ?? .invalid("\(name) ends in a buffer, which sends no notifications; poll it with the verb read")
  }

  private func stop(_ name: String?) async -> CommandOutcome {
    let wanted = context.orders.wanted.streams
    let stopped = name.map { wanted[$0] == nil ? [] : [$0] } ?? wanted.keys.sorted()
    for stream in stopped { context.orders.wanted.streams[stream] = nil }
    guard let applied = await setup.streams.applyForCommand() else { return context.linkOutcome }
    setup.streams.reviewChains()
    return .done(evidence: applied.evidence, data: ["stopped": .array(stopped.map { .string($0) })])
  }
}
