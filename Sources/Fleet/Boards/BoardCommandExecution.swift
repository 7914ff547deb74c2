import BoardKit
import FleetModel

/// One command on a board, once it is its turn: what of it is the session's, and what the supervisor takes note of.
struct BoardCommandExecution: Sendable {
  var session: BoardSession
  var expires: Timestamp
  var stages: CommandProgress

  func carryOut(_ intent: BoardIntent, by supervisor: isolated BoardSupervisor) async -> CommandOutcome {
    switch intent {
    case .link(let intent): return await carryOut(intent, by: supervisor)
    case .profile(let name): return await changingSetup(supervisor) { await adopt(name, by: $0) }
    case .disconnect(let suspend, let side):
      // The suspension begins before the connection ends, so that nothing connects in between.
      supervisor.suspend(until: supervisor.uptime + suspend)
      return await perform(side == .host ? .disconnect : .device(.disconnect))
    case .firmware(let intent):
      return await FirmwareCommand(session: session, stages: stages).carryOut(intent, by: supervisor)
    case .explain: return await supervisor.environment.gateway.explain(supervisor.board)
    case .maintenance(let request):
      return await MaintenanceOrder(request: request).carryOut(stages, by: supervisor)
    case .batch(let batch): return await carryOut(batch, by: supervisor)
    }
  }

  private func carryOut(_ batch: BatchCommand, by supervisor: isolated BoardSupervisor) async
    -> CommandOutcome
  {
    await BatchRun(batch: batch, stages: stages).run(by: supervisor) { intent, stages, supervisor in
      if let known = await KnownAnswer.find(for: intent, stages, by: supervisor) { return known }
      return await BoardCommandExecution(session: session, expires: expires, stages: stages)
        .carryOut(intent, by: supervisor)
    }
  }

  private func carryOut(_ intent: LinkIntent, by supervisor: isolated BoardSupervisor) async -> CommandOutcome
  {
    switch intent {
    case .streamStart, .streamStop, .log:
      return await changingSetup(supervisor) { await perform(intent, keptBy: $0) }
    case .disconnect: return await perform(intent)
    case .device(let device): return await carryOut(device, by: supervisor)
    }
  }

  private func carryOut(_ intent: DeviceIntent, by supervisor: isolated BoardSupervisor) async
    -> CommandOutcome
  {
    switch intent {
    case .led(let command): return await show(command, by: supervisor)
    case .program(.eraseMacros):
      return await changingSetup(supervisor) { await eraseMacros(.device(intent), by: $0) }
    case .program, .settings:
      return await changingSetup(supervisor) { await perform(.device(intent), keptBy: $0) }
    case .pin: return await perform(.device(intent), keptBy: supervisor)
    case .reset: return await reset(by: supervisor)
    case .factoryReset(let discard): return await factoryReset(discarding: discard, by: supervisor)
    case .sleep: return await sleep(by: supervisor)
    case .identify, .haptic, .read, .sensor, .bus, .beacon, .raw, .disconnect, .enterBootloader:
      return await perform(.device(intent))
    }
  }

  func perform(_ intent: LinkIntent) async -> CommandOutcome {
    await session.perform(intent, expires: expires, stages)
  }

  /// What the board has done is kept.
  private func perform(
    _ intent: LinkIntent, keptBy supervisor: isolated BoardSupervisor
  ) async -> CommandOutcome {
    let outcome = await perform(intent)
    guard case .done = outcome else { return outcome }
    await supervisor.carryOut(supervisor.setup.note(intent, at: supervisor.now))
    return outcome
  }

  private func show(_ command: LEDCommand, by supervisor: isolated BoardSupervisor) async -> CommandOutcome {
    var command = command
    if case .light(let light) = command {
      command = .show(light.show(after: supervisor.status.lastAppearance))
    }
    let outcome = await perform(.device(.led(command)))
    guard case .done = outcome else { return outcome }
    let now = supervisor.now
    switch command {
    case .show(let show):
      await supervisor.show(
        LEDState(appearance: show.appearance, until: show.duration.map { now + $0 }, time: now))
    case .off: await supervisor.show(LEDState(appearance: nil, until: nil, time: now))
    case .light, .pause, .play, .autoplay: break
    }
    return outcome
  }

  private func changingSetup(
    _ supervisor: isolated BoardSupervisor,
    _ change: (isolated BoardSupervisor) async -> CommandOutcome
  ) async -> CommandOutcome {
    supervisor.setup.changeBegins()
    let outcome = await change(supervisor)
    supervisor.setup.changeEnds()
    return outcome
  }

  /// Makes the board do what a profile says; done when it does (MQTT contract 3.4).
  private func adopt(_ name: String, by supervisor: isolated BoardSupervisor) async -> CommandOutcome {
    let gateway = supervisor.environment.gateway
    if let failure = await gateway.missing(profile: name) { return .failed(failure) }
    guard await stages.sent() else { return .failed(.cancelled) }
    let before = supervisor.setup.reportedSetup
    supervisor.setup.choose(profile: name)
    await supervisor.remember()
    await gateway.choose(supervisor.setup.choice, for: supervisor.board)
    await supervisor.order()
    let isTried = await session.waitUntilApplied()
    await session.awaitFirstSamples()
    guard isTried else {
      return .unknown(message: "the connection was lost before the profile was applied")
    }
    let setup = supervisor.setup
    let data: JSONObject = [
      "profile": .string(name),
      "differences": BoardSetup.listed(setup.reportedSetup.changes(since: before)),
      "in_sync": .bool(setup.reportedSetup.differences(from: setup.wantedSetup).isEmpty),
    ]
    if let failure = setup.firstRefusal {
      let sentence = setup.reportedSetup.error?.sentence ?? failure.message
      return .failed(CommandFailure(failure.code, sentence, data: data))
    }
    return .done(evidence: .readback, data: data)
  }
}
