import BoardKit
import FleetModel
import Storage

/// Commands of one board.
extension BoardSupervisor: CommandedBoard {
  func takeTurn() -> CommandTurns.Turn { turns.take() }

  /// As a command that comes now.
  func perform(
    _ intent: Intent, expires: Timestamp, mode: CommandRequest.Mode = .now, _ stages: CommandStages
  ) async -> CommandOutcome {
    await perform(intent, turn: takeTurn(), expires: expires, mode: mode, stages)
  }

  func perform(
    _ intent: Intent, turn: CommandTurns.Turn, expires: Timestamp, mode: CommandRequest.Mode,
    _ stages: CommandStages
  ) async -> CommandOutcome {
    if let known = await answerFromMemory(intent) {
      turns.leave(turn)
      serveNextTurn()
      return known
    }
    commandsWaiting += 1
    dutyAlarm.ring()
    defer {
      turns.leave(turn)
      serveNextTurn()
      commandsWaiting -= 1
      dutyAlarm.ring()
    }
    var noting = stages
    noting.sent = {
      await self.noteSent(turn)
      return await stages.sent()
    }
    while true {
      guard let session = await session(for: turn, until: expires, isPatient: mode == .queue, stages) else {
        return .failed(noLink())
      }
      guard now < expires else {
        return .failed(CommandFailure(.expired, "other commands were before it until it expired"))
      }
      let outcome = await carryOut(intent, on: session, expires: expires, noting)
      guard case .failed(let failure) = outcome, failure.code == .unreachable, !turns.isSent else {
        return outcome
      }
      // The link went before the first byte: in its old place it waits for the next one.
      if session === self.session { isSessionReady = false }
      turns.giveBack(turn)
    }
  }

  /// The answer to what is known already and waits for nobody, nor for a link; nil for everything else.
  private func answerFromMemory(_ intent: Intent) async -> CommandOutcome? {
    switch intent {
    case .explain: await environment.explain(board)
    case .read(let request) where request.what == "rssi": HeardSignal.answer(lastSignal, now: uptime)
    default: nil
    }
  }

  private func noteSent(_ turn: CommandTurns.Turn) { turns.sent(turn) }

  private func carryOut(
    _ intent: Intent, on session: BoardSession, expires: Timestamp, _ stages: CommandStages
  ) async -> CommandOutcome {
    switch intent {
    case .led(let command): return await show(command, on: session, expires: expires, stages)
    case .streamStart, .streamStop, .program, .settings, .profile, .log:
      return await changingSetup { await change(intent, on: session, expires: expires, stages) }
    case .reset: return await reset(session, expires: expires, stages)
    case .factoryReset(let discard):
      return await factoryReset(session, discard: discard, expires: expires, stages)
    case .sleep: return await sleep(session, expires: expires, stages)
    case .disconnect(let hold, _):
      // The hold begins before the link ends, so that nothing connects in between.
      self.hold(until: uptime + hold)
      return await session.perform(intent, expires: expires, stages)
    case .pin(let command):
      let outcome = await session.perform(intent, expires: expires, stages)
      if case .done = outcome {
        pinOverlay.note(command)
        refusedPins[command.pin] = nil
        await rememberOverlay()
      }
      return outcome
    case .identify, .haptic, .read, .sensor, .bus, .beacon, .raw:
      return await session.perform(intent, expires: expires, stages)
    case .bootloader, .firmwareCheck, .firmwareUpdate, .firmwareAbort:
      return .failed(CommandFailure(.unsupported, "this version does not do that"))
    case .admit, .forget, .scan, .reload, .admission, .drain, .resetAdapter, .diagnostics, .replay, .cancel,
      .explain:
      return .failed(CommandFailure(.internal, "a verb of gateways reached a board"))
    }
  }

  /// Carries out what changes the board's setup, and keeps it where it was done.
  private func change(
    _ intent: Intent, on session: BoardSession, expires: Timestamp, _ stages: CommandStages
  ) async -> CommandOutcome {
    if case .profile(let name) = intent { return await adopt(name, on: session, stages) }
    if case .program(.eraseMacros) = intent {
      return await eraseMacros(session, intent, expires: expires, stages)
    }
    let outcome = await session.perform(intent, expires: expires, stages)
    guard case .done = outcome else { return outcome }
    switch intent {
    case .streamStart(let request, _, let duration):
      overlay.start(request, until: duration.map { now + $0 }, profile: standingStreams)
    case .streamStop(let name): _ = overlay.stop(name, profile: standingStreams)
    case .log(let command):
      logMemory.overlay.note(command, profile: standingLogs)
      await orderLogs()
    case .settings(let command): settingsOverlay.note(command, profile: desired.profile.settings)
    case .program(let command):
      programOverlay.note(command, profile: desired.profile.program)
      if case .removeChain(.name(let chain)) = command {
        overlay.forget(chain)
        logMemory.overlay.forget(chain)
      }
      await orderStreams()
      await orderLogs()
    default: break
    }
    await rememberOverlay()
    return outcome
  }

  private func show(
    _ command: LEDCommand, on session: BoardSession, expires: Timestamp, _ stages: CommandStages
  ) async -> CommandOutcome {
    var command = command
    if case .light(let light) = command { command = .show(light.show(after: lastAppearance)) }
    let outcome = await session.perform(.led(command), expires: expires, stages)
    guard case .done = outcome else { return outcome }
    switch command {
    case .show(let show):
      await setLED(LEDState(appearance: show.appearance, until: show.duration.map { now + $0 }, time: now))
    case .off: await setLED(LEDState(appearance: nil, until: nil, time: now))
    case .light, .pause, .play, .autoplay: break
    }
    return outcome
  }

  func rememberOverlay() async {
    memory.overlay = Remembered.bytes(
      overlay, programOverlay, settingsOverlay, pins: pinOverlay, held: held, applied: applied,
      choice: choice,
      programMemory: programMemory, logs: logMemory)
    await remember()
  }
}
