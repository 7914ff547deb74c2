import BoardKit
import FleetModel

/// One command on a board, once it is its turn: what of it is the session's, and what the supervisor takes note of.
struct BoardCommand: Sendable {
  var session: BoardSession
  var expires: Timestamp
  var stages: CommandStages

  func carryOut(_ intent: Intent, by supervisor: isolated BoardSupervisor) async -> CommandOutcome {
    switch intent {
    case .led(let command): return await show(command, by: supervisor)
    case .program(.eraseMacros): return await changingSetup(supervisor) { await eraseMacros(intent, by: $0) }
    case .profile(let name): return await changingSetup(supervisor) { await adopt(name, by: $0) }
    case .streamStart, .streamStop, .program, .settings, .log:
      return await changingSetup(supervisor) { await perform(intent, keptBy: $0) }
    case .pin: return await perform(intent, keptBy: supervisor)
    case .reset: return await reset(by: supervisor)
    case .factoryReset(let discard): return await factoryReset(discarding: discard, by: supervisor)
    case .sleep: return await sleep(by: supervisor)
    case .disconnect(let hold, _):
      // The hold begins before the link ends, so that nothing connects in between.
      supervisor.hold(until: supervisor.uptime + hold)
      return await perform(intent)
    case .identify, .haptic, .read, .sensor, .bus, .beacon, .raw: return await perform(intent)
    case .bootloader, .firmwareCheck, .firmwareUpdate, .firmwareAbort:
      return .failed(CommandFailure(.unsupported, "this version does not do that"))
    case .admit, .forget, .scan, .reload, .admission, .drain, .resetAdapter, .diagnostics, .replay, .cancel,
      .explain:
      return .failed(CommandFailure(.internal, "a verb of gateways reached a board"))
    }
  }

  func perform(_ intent: Intent) async -> CommandOutcome {
    await session.perform(intent, expires: expires, stages)
  }

  /// What the board has done is kept.
  private func perform(_ intent: Intent, keptBy supervisor: isolated BoardSupervisor) async -> CommandOutcome
  {
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
    let outcome = await perform(.led(command))
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
    let before = supervisor.setup.held
    supervisor.setup.choose(profile: name)
    await supervisor.remember()
    await gateway.choose(supervisor.setup.choice, for: supervisor.board)
    await supervisor.order()
    let isTried = await session.settle()
    await session.awaitFirstSamples()
    guard isTried else {
      return .unknown(message: "the link ended before the board did what the profile says")
    }
    let setup = supervisor.setup
    let data: JSONObject = [
      "profile": .string(name),
      "differences": BoardSetup.listed(setup.held.changes(since: before)),
      "in_sync": .bool(setup.held.differences(from: setup.wantedSetup).isEmpty),
    ]
    if let failure = setup.firstRefusal {
      let sentence = setup.held.error?.sentence ?? failure.message
      return .failed(CommandFailure(failure.code, sentence, data: data))
    }
    return .done(evidence: .readback, data: data)
  }
}
