import BoardKit
import FleetModel

/// The verbs that have to do with a board's bootloader (MQTT contract 3.10).
struct FirmwareCommand: Sendable {
  /// With the board's application; nil while the board is in its bootloader.
  var session: BoardSession?
  var stages: CommandProgress

  /// How long a board may take to come back for another try.
  private static let returnLimit = Duration.seconds(120)

  func carryOut(_ intent: FirmwareIntent, by supervisor: isolated BoardSupervisor) async -> CommandOutcome {
    switch intent {
    case .check(let refresh): return await FirmwareNotice.answer(refreshing: refresh, by: supervisor)
    case .abort: return await abort(by: supervisor)
    case .bootloader:
      return await visit(UpdateTarget(goal: .look, serial: Self.serial(of: supervisor)), by: supervisor)
    case .update(let order): return await update(order, by: supervisor)
    }
  }

  /// What needs no link to an application; nil for what does.
  func carryOutWithoutLink(
    _ intent: BoardIntent, by supervisor: isolated BoardSupervisor
  ) async -> CommandOutcome? {
    if case .firmware(.abort) = intent { return await abort(by: supervisor) }
    let isAboutFirmware: Bool
    switch intent {
    case .firmware(.update), .firmware(.bootloader), .link(.device(.reset)): isAboutFirmware = true
    default: isAboutFirmware = false
    }
    guard isAboutFirmware else { return nil }
    if let update = supervisor.update, update.phase != .rescuing { return .failed(Self.busy) }
    guard supervisor.status.facts.isBootloader, !supervisor.isLinked else { return nil }
    switch intent {
    case .firmware(.update(let order)): return await rescue(order, by: supervisor)
    case .firmware(.bootloader): return await carryOut(.bootloader, by: supervisor)
    default:
      if supervisor.update != nil { return .failed(Self.busy) }
      return await visit(UpdateTarget(goal: .leave, serial: Self.serial(of: supervisor)), by: supervisor)
    }
  }

  private func abort(by supervisor: isolated BoardSupervisor) async -> CommandOutcome {
    guard let update = supervisor.update, update.target.goal == .install else {
      return .done(evidence: .response, data: ["aborted": false])
    }
    guard !update.isBegun else {
      return .failed(
        CommandFailure(
          .busy,
          "firmware is being sent already; to abort now would leave the board without any, so wait until the update is over"
        ))
    }
    guard await stages.sent() else { return .failed(.cancelled) }
    await UpdateEffects.take(.abort, by: supervisor)
    return .done(evidence: .response, data: ["aborted": true])
  }

  /// An update of a board whose application answers.
  private func update(_ order: FirmwareOrder, by supervisor: isolated BoardSupervisor) async -> CommandOutcome
  {
    guard let session, supervisor.environment.family.bootloader != nil else {
      return .failed(CommandFailure(.unsupported, "boards of this family take no firmware over the air"))
    }
    supervisor.update = BoardUpdate(
      UpdateTarget(), limits: UpdateEffects.limits(of: supervisor), at: supervisor.uptime)
    await publish(supervisor)
    let target: UpdateTarget
    do throws(CommandFailure) {
      target = try await UpdatePreparation(session: session, order: order).target(for: supervisor)
      guard supervisor.update?.isAborted != true, await stages.sent() else { throw .cancelled }
    } catch {
      // It may have been stopped for the download.
      await session.enqueue(.log)
      return await refuse(error, supervisor)
    }
    await UpdateEffects.take(.found(target), by: supervisor)
    if let failure = await jump(supervisor) { return await refuse(failure, supervisor) }
    return await end(supervisor)
  }

  /// An update of a board that waits in its bootloader, by what it says of itself where nothing is remembered of it.
  private func rescue(_ order: FirmwareOrder, by supervisor: isolated BoardSupervisor) async -> CommandOutcome
  {
    let isBegun = supervisor.update?.isBegun ?? false
    if Self.recipient(of: supervisor) == nil {
      // Nothing is changed by that.
      let outcome = await FirmwareCommand(session: nil, stages: .silent).visit(
        UpdateTarget(goal: .look), by: supervisor)
      guard case .done = outcome else { return outcome }
    }
    let target: UpdateTarget
    do throws(CommandFailure) {
      target = try await UpdatePreparation(session: nil, order: order).target(for: supervisor)
      guard await stages.sent() else { throw .cancelled }
    } catch { return .failed(error) }
    supervisor.update = BoardUpdate(
      target, isBegun: isBegun, limits: UpdateEffects.limits(of: supervisor), at: supervisor.uptime)
    supervisor.commands.forgetUpdate()
    guard await UpdateEffects.take(.inBootloader, by: supervisor) != nil else {
      return await refuse(Self.notStored, supervisor)
    }
    return await end(supervisor)
  }

  /// Has the board looked at in its bootloader, or leave it.
  private func visit(_ target: UpdateTarget, by supervisor: isolated BoardSupervisor) async -> CommandOutcome
  {
    guard supervisor.environment.family.bootloader != nil else {
      return .failed(CommandFailure(.unsupported, "boards of this family have no bootloader that answers"))
    }
    guard await stages.sent() else { return .failed(.cancelled) }
    supervisor.update = BoardUpdate(target, at: supervisor.uptime)
    supervisor.commands.forgetUpdate()
    if session == nil {
      await UpdateEffects.take(.inBootloader, by: supervisor)
    } else if let failure = await jump(supervisor) {
      return await refuse(failure, supervisor)
    }
    return await end(supervisor)
  }

  /// Tells the application to enter the bootloader. Whether it did is seen when the board is heard.
  private func jump(_ supervisor: isolated BoardSupervisor) async -> CommandFailure? {
    if !supervisor.link.isReady {
      _ = await LinkWaiter.wait(
        until: supervisor.now + Self.returnLimit, isQueued: false, turn: nil, queued: nil, for: supervisor)
    }
    guard let session = supervisor.link.session else {
      return CommandFailure(.unreachable, "the board did not come back; it has the firmware that it had")
    }
    supervisor.commands.forgetUpdate()
    guard await UpdateEffects.take(.jumping, by: supervisor) != nil else { return Self.notStored }
    let outcome = await session.perform(
      .device(.enterBootloader), expires: supervisor.now + Self.returnLimit, .silent)
    // It does not listen: what it is by then is seen on the next link.
    if case .done = outcome { return nil }
    await session.close()
    return nil
  }

  /// What became of it.
  private func end(_ supervisor: isolated BoardSupervisor) async -> CommandOutcome {
    while true {
      let step = await withCheckedContinuation { continuation in
        supervisor.commands.wait(UpdateWaiter(stages: stages, continuation: continuation))
        supervisor.wake()
      }
      switch step {
      case .answer(let outcome): return outcome
      case .jump: if let failure = await jump(supervisor) { return await refuse(failure, supervisor) }
      }
    }
  }

  /// Nothing was sent to the board.
  private func refuse(
    _ failure: CommandFailure, _ supervisor: isolated BoardSupervisor
  ) async -> CommandOutcome {
    await UpdateEffects.giveUp(because: failure, by: supervisor)
    return .failed(failure)
  }

  private func publish(_ supervisor: isolated BoardSupervisor) async {
    if let update = supervisor.update { await FirmwareNotice.publish(update.progress, by: supervisor) }
  }

  private static let busy = CommandFailure(
    .busy, "the board is being updated; wait until that is over, or firmware-abort while nothing was sent")
  private static let notStored = CommandFailure(
    .internal,
    "the update cannot be written to disk, without which nothing is sent; see the gateway's storage")

  static func serial(of supervisor: isolated BoardSupervisor) -> String? {
    supervisor.status.identity.description.map(\.serialNumber).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Which builds the board takes; nil where nothing is known of it.
  static func recipient(of supervisor: isolated BoardSupervisor) -> FirmwareRecipient? {
    if let description = supervisor.status.identity.description {
      return FirmwareRecipient(
        modelNumber: description.modelNumber, hardwareRevision: description.hardwareRevision,
        build: supervisor.status.firmware.report?.offer?.build)
    }
    return supervisor.status.firmware.bootloader.map {
      FirmwareRecipient(modelNumber: $0.modelNumber, hardwareRevision: $0.hardwareRevision)
    }
  }
}
