import BoardKit
import FleetModel
import Storage

/// A command waits for the board to come back.
struct RebootWaiter {
  var deadline: Duration
  /// Whether a return without a reset counts, too.
  var takesAnyReturn: Bool
  var continuation: CheckedContinuation<Bool, Never>
}

/// Commands that outlive the link they were given on (MQTT contract 3.10).
extension BoardSupervisor {
  /// How long a reset may take until the board is back.
  static let rebootLimit = Duration.seconds(60)
  /// How long a board that sleeps must be silent to be believed.
  static let sleepProof = Duration.seconds(10)

  /// Done when the board is back with another reset id.
  func reset(
    _ session: BoardSession, expires: Timestamp, _ stages: CommandStages
  ) async -> CommandOutcome {
    let outcome = await session.perform(.reset, expires: expires, stages)
    if case .failed = outcome { return outcome }
    guard await returns(takingAny: false) else { return Self.notBack }
    return .done(evidence: .readback, data: ["boot": .integer(Int64(boots.count))])
  }

  /// Done when the board came back after a reset and says itself that it holds nothing.
  func factoryReset(
    _ session: BoardSession, discard: Int64?, expires: Timestamp, _ stages: CommandStages
  ) async -> CommandOutcome {
    let before = boots.count
    let outcome = await session.perform(.factoryReset(discard: discard), expires: expires, stages)
    if case .failed = outcome { return outcome }
    isProvingFactoryReset = true
    let proof = await proveFactoryReset(since: before)
    isProvingFactoryReset = false
    await order()
    return proof
  }

  private func proveFactoryReset(since before: Int) async -> CommandOutcome {
    // It is the opposite of all that verbs made; what the profile wants comes back.
    programOverlay = ProgramOverlay()
    pinOverlay = PinOverlay()
    programMemory = ProgramRecord()
    settingsOverlay = SettingsOverlay()
    logMemory = LogMemory()
    await forgetRun()
    await rememberOverlay()
    _ = await returns(takingAny: true)
    // Looked at once more behind the wait: a board that took its time has restarted by then, and is not reset twice.
    if boots.count == before, let session = await readySession(until: now + Self.rebootLimit),
      boots.count == before
    {
      // Some firmware does not restart when nothing was to be tidied up (protocol reference, section 27.2).
      let outcome = await self.reset(session, expires: now + Self.rebootLimit, .silent)
      guard case .done = outcome else { return outcome }
    }
    guard boots.count != before, let session = await readySession(until: now + Self.rebootLimit) else {
      return Self.notBack
    }
    let expires = now + Self.rebootLimit
    let log = await session.perform(FactoryResetProof.log, expires: expires, .silent)
    let resources = await session.perform(FactoryResetProof.resources, expires: expires, .silent)
    return FactoryResetProof.outcome(log: log, resources: resources, boot: boots.count)
  }

  /// What the board had logged was given up, or brought home.
  private func forgetRun() async {
    guard let run = try? await environment.store.openLogSession(of: board) else { return }
    try? await environment.store.noteCleared(run.id)
  }

  /// Macros go when the link does; proved when the board is back and lists none.
  func eraseMacros(
    _ session: BoardSession, _ intent: Intent, expires: Timestamp, _ stages: CommandStages
  ) async -> CommandOutcome {
    let outcome = await session.perform(intent, expires: expires, stages)
    if case .done = outcome {
      settingsOverlay.macrosErased()
      await rememberOverlay()
    }
    guard case .done(_, let data) = outcome, await returns(takingAny: true),
      let session = await readySession(until: now + Self.rebootLimit)
    else { return outcome }
    let listed = await session.perform(.program(.listMacros), expires: now + Self.rebootLimit, .silent)
    guard case .done(_, let list) = listed, let left = list["macros"]?.array else { return outcome }
    guard left.isEmpty else {
      return .failed(
        CommandFailure(.boardError, "\(left.count) macros are still there after the erasing", data: list))
    }
    return .done(evidence: .readback, data: data)
  }

  /// Done when the link dropped and the board was not heard again.
  func sleep(
    _ session: BoardSession, expires: Timestamp, _ stages: CommandStages
  ) async -> CommandOutcome {
    // A board that we call would be no proof of its sleep, nor of the contrary.
    hold(until: uptime + Self.sleepProof)
    let outcome = await session.perform(.sleep, expires: expires, stages)
    guard case .done = outcome else { return outcome }
    facts.isAsleep = true
    do { try await environment.timekeeper.sleep(for: Self.sleepProof) } catch {
      return .unknown(message: "the gateway stopped while it listened whether the board sleeps")
    }
    guard facts.isAsleep else {
      return .unknown(message: "the link dropped, but the board was heard again; it may have restarted")
    }
    dutyAlarm.ring()
    return outcome
  }

  /// Whether the board came back within the limit, after a reset or, where that counts, without.
  private func returns(takingAny: Bool) async -> Bool {
    await withCheckedContinuation { continuation in
      rebootWaiter?.continuation.resume(returning: false)
      rebootWaiter = RebootWaiter(
        deadline: uptime + Self.rebootLimit, takesAnyReturn: takingAny, continuation: continuation)
      dutyAlarm.ring()
    }
  }

  /// The board answered on a new link.
  func resolveRebootWaiter(hasRebooted: Bool) {
    guard let waiter = rebootWaiter, hasRebooted || waiter.takesAnyReturn else { return }
    rebootWaiter = nil
    waiter.continuation.resume(returning: true)
  }

  private static let notBack = CommandOutcome.unknown(
    message: "the board did not come back with another reset id within \(DurationText.format(rebootLimit))")
}
