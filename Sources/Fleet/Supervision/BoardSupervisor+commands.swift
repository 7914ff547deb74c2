import BoardKit
import FleetModel
import Storage

/// A command waits for a link.
struct LinkWaiter {
  var deadline: Duration
  /// Whether it waits for the next contact, whenever that is.
  var isPatient = false
  var continuation: CheckedContinuation<Bool, Never>
}

/// Commands of one board.
extension BoardSupervisor {
  /// Carries out one command, at once or, in mode `queue`, with the next contact.
  func perform(
    _ intent: Intent, expires: Timestamp, mode: CommandRequest.Mode = .now, _ stages: CommandStages
  ) async -> CommandOutcome {
    if case .explain = intent { return await environment.explain(board) }
    commandsWaiting += 1
    dutyAlarm.ring()
    defer {
      commandsWaiting -= 1
      dutyAlarm.ring()
    }
    guard let session = await readySession(until: expires, isPatient: mode == .queue) else {
      return .failed(noLink())
    }
    guard now < expires else {
      return .failed(CommandFailure(.expired, "the command waited for its turn until it expired"))
    }
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

  /// The session once it can take commands; nil when none came before `expires`.
  func readySession(until expires: Timestamp, isPatient: Bool = false) async -> BoardSession? {
    if isSessionReady, let session { return session }
    if case .held = machine.state { return nil }
    guard desired.isEnabled else { return nil }
    let isReady = await withCheckedContinuation { continuation in
      linkWaiters.append(
        LinkWaiter(deadline: uptime + (expires - now), isPatient: isPatient, continuation: continuation))
      dutyAlarm.ring()
      if !isPatient { linkAlarm.ring() }
    }
    return isReady ? session : nil
  }

  private func noLink() -> CommandFailure {
    if case .held = machine.state {
      return CommandFailure(.unreachable, "the board is kept apart on request; wait until its hold ends")
    }
    guard desired.isEnabled else {
      return CommandFailure(.unreachable, "the board is disabled in the configuration")
    }
    if isReleased { return CommandFailure(.unreachable, Self.drained) }
    let why = machine.lastFailure?.message ?? "it was not heard"
    return CommandFailure(.unreachable, "no link to the board before the command expired: \(why)")
  }

  /// Gives up on waits whose time is over. Returns the next deadline.
  func expireWaiters() -> Duration? {
    let uptime = uptime
    let late = linkWaiters.filter { $0.deadline <= uptime }
    linkWaiters.removeAll { $0.deadline <= uptime }
    for waiter in late { waiter.continuation.resume(returning: false) }
    if let waiter = rebootWaiter, waiter.deadline <= uptime {
      rebootWaiter = nil
      waiter.continuation.resume(returning: false)
    }
    return (linkWaiters.map(\.deadline) + [rebootWaiter?.deadline].compactMap { $0 }).min()
  }

  func abandonWaiters() {
    let waiters = linkWaiters
    linkWaiters.removeAll()
    for waiter in waiters { waiter.continuation.resume(returning: false) }
    rebootWaiter?.continuation.resume(returning: false)
    rebootWaiter = nil
  }

  func rememberOverlay() async {
    memory.overlay = Remembered.bytes(
      overlay, programOverlay, settingsOverlay, pins: pinOverlay, held: held, applied: applied,
      choice: choice,
      programMemory: programMemory, logs: logMemory)
    await remember()
  }
}
