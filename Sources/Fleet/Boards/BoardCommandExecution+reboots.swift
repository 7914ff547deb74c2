import BoardKit
import FleetModel
import Storage

/// Commands that outlive the link they were given on (MQTT contract 3.10).
extension BoardCommandExecution {
  /// How long a reset may take until the board is back.
  private static let rebootLimit = Duration.seconds(60)
  /// How long a board that sleeps must be silent to be believed.
  private static let sleepProof = Duration.seconds(10)

  /// Done when the board is back with another reset id.
  func reset(by supervisor: isolated BoardSupervisor) async -> CommandOutcome {
    let outcome = await performReset(.reset, by: supervisor)
    if case .failed = outcome { return outcome }
    guard await Self.returns(supervisor, takingAny: false) else { return Self.notBack }
    return .done(evidence: .readback, data: ["boot": .integer(Int64(supervisor.boots.count))])
  }

  /// What ends in a restart of the board, which is no fault of it then.
  private func performReset(
    _ intent: DeviceIntent, by supervisor: isolated BoardSupervisor
  ) async -> CommandOutcome {
    supervisor.link.isResetOrdered = true
    let outcome = await perform(.device(intent))
    if case .failed = outcome { supervisor.link.isResetOrdered = false }
    return outcome
  }

  /// Done when the board came back after a reset and says itself that it holds nothing.
  func factoryReset(
    discarding discard: Int64?, by supervisor: isolated BoardSupervisor
  ) async -> CommandOutcome {
    let before = supervisor.boots.count
    let outcome = await performReset(.factoryReset(discard: discard), by: supervisor)
    if case .failed = outcome { return outcome }
    supervisor.setup.isProvingFactoryReset = true
    let proof = await proveFactoryReset(since: before, supervisor)
    supervisor.setup.isProvingFactoryReset = false
    await supervisor.order()
    return proof
  }

  private func proveFactoryReset(
    since before: Int, _ supervisor: isolated BoardSupervisor
  ) async -> CommandOutcome {
    // It is the opposite of all that verbs made; what the profile wants comes back.
    supervisor.setup.factoryReset()
    supervisor.log = StoredLogState()
    await Self.forgetRun(supervisor)
    await supervisor.remember()
    _ = await Self.returns(supervisor, takingAny: true)
    // Looked at once more behind the wait: a board that took its time has restarted by then, and is not reset twice.
    if supervisor.boots.count == before, let next = await again(supervisor),
      supervisor.boots.count == before
    {
      // Some firmware does not restart when nothing was to be tidied up (protocol reference, section 27.2).
      let outcome = await next.reset(by: supervisor)
      guard case .done = outcome else { return outcome }
    }
    guard supervisor.boots.count != before, let next = await again(supervisor) else { return Self.notBack }
    let log = await next.perform(FactoryResetVerification.log)
    let resources = await next.perform(FactoryResetVerification.resources)
    return FactoryResetVerification.outcome(log: log, resources: resources, boot: supervisor.boots.count)
  }

  /// The command's next part, on the link that is there by now; nil when there is none in time. Nobody hears of it.
  private func again(_ supervisor: isolated BoardSupervisor) async -> BoardCommandExecution? {
    let limit = supervisor.now + Self.rebootLimit
    if !supervisor.link.isReady {
      guard !supervisor.cannotConnect(isQueued: false),
        await LinkWaiter.wait(until: limit, isQueued: false, turn: nil, queued: nil, for: supervisor)
      else { return nil }
    }
    return supervisor.link.session.map {
      BoardCommandExecution(session: $0, expires: supervisor.now + Self.rebootLimit, stages: .silent)
    }
  }

  /// Whether the board came back within the limit, after a reset or, where that counts, without.
  private static func returns(_ supervisor: isolated BoardSupervisor, takingAny: Bool) async -> Bool {
    await withCheckedContinuation { continuation in
      supervisor.commands.wait(
        RebootWaiter(
          deadline: supervisor.uptime + rebootLimit, takesAnyReturn: takingAny, continuation: continuation))
      supervisor.dueWorkWaker.wake()
    }
  }

  /// What the board had logged was given up, or downloaded.
  private static func forgetRun(_ supervisor: isolated BoardSupervisor) async {
    let store = supervisor.environment.store
    guard let run = try? await store.logs.openSession(of: supervisor.board) else { return }
    try? await store.logs.noteCleared(run.id)
  }

  /// Macros go when the link does; proved when the board is back and lists none.
  func eraseMacros(
    _ intent: LinkIntent, by supervisor: isolated BoardSupervisor
  ) async -> CommandOutcome {
    let outcome = await perform(intent)
    guard case .done(_, let data) = outcome else { return outcome }
    supervisor.setup.macrosErased()
    await supervisor.remember()
    guard await Self.returns(supervisor, takingAny: true),
      let next = await again(supervisor)
    else { return outcome }
    let listed = await next.perform(.device(.program(.listMacros)))
    guard case .done(_, let list) = listed, let left = list["macros"]?.array else { return outcome }
    guard left.isEmpty else {
      return .failed(
        CommandFailure(
          .boardError,
          "\(CountText.of(left.count, "macro")) still stored after erasing; reset the board and try again",
          data: list))
    }
    return .done(evidence: .readback, data: data)
  }

  /// Done when the link dropped and the board was not heard again.
  func sleep(by supervisor: isolated BoardSupervisor) async -> CommandOutcome {
    // A board that we call would be no proof of its sleep, nor of the contrary.
    supervisor.suspend(until: supervisor.uptime + Self.sleepProof)
    let outcome = await performReset(.sleep, by: supervisor)
    guard case .done = outcome else { return outcome }
    supervisor.status.facts.isAsleep = true
    do { try await supervisor.environment.timekeeper.sleep(for: Self.sleepProof) } catch {
      return .unknown(message: "the gateway stopped before it could check that the board sleeps")
    }
    guard supervisor.status.facts.isAsleep else {
      return .unknown(message: "the connection ended, but the board advertises again; it may have restarted")
    }
    supervisor.dueWorkWaker.wake()
    return outcome
  }

  private static let notBack = CommandOutcome.unknown(
    message: "the board did not reconnect with a new reset id within \(DurationText.format(rebootLimit))")
}
