import BoardKit
import FleetModel
import Logging
import Storage

/// What a session tells, taken by the values of its supervisor.
extension SessionReport {
  func arrive(at supervisor: isolated BoardSupervisor) async {
    let (now, uptime) = (supervisor.now, supervisor.uptime)
    switch self {
    case .interviewed(let interview, let boots, let hasRebooted):
      await Self.interviewed(interview, boots, hasRebooted: hasRebooted, supervisor)
    case .mismatched(let found, let mismatch):
      guard supervisor.status.facts.mismatch != mismatch else { break }
      supervisor.status.facts.mismatch = mismatch
      await supervisor.publish(supervisor.status.identity.mismatched(found, mismatch))
    case .streams(let wanted, let running, let verification, let chains, let refused):
      supervisor.status.activity.streams = running.map(\.name).sorted()
      supervisor.status.activity.troubles = verification.troubles
      // What a chain yields is reported with the chain.
      supervisor.setup.take(
        streams: wanted.filter { !chains.contains($0.key) },
        running: running.filter { !chains.contains($0.name) }, verification, refused: refused)
      guard !supervisor.link.isReady else { break }
      supervisor.link.isReady = true
      supervisor.commands.boardIsReady()
    case .samples(let verification):
      supervisor.status.activity.troubles = verification.troubles
      supervisor.setup.take(verification)
    case .program(let wanted, let applied): supervisor.setup.take(program: wanted, applied)
    case .chains(let chains):
      supervisor.status.identity.chains = chains
      supervisor.publishInfo()
    case .pins(let refused): supervisor.setup.take(refusedPins: refused)
    case .logs(let made, let logged, let refused):
      supervisor.log.made = made
      supervisor.setup.take(loggers: made, logged, refused: refused)
      await supervisor.remember()
    case .log(let snapshot): await Self.took(snapshot, supervisor)
    case .logStarted(let failure): supervisor.setup.logStarted(failure)
    case .othersLoggers(let slots):
      supervisor.log.foreign = slots
      await supervisor.remember()
    case .logTrouble(let text):
      supervisor.environment.log.warning(
        "the board's log cannot be used now", metadata: .board(supervisor, ["reason": "\(text)"]))
    case .downloading(let isDownloading): supervisor.status.activity.isDownloading = isDownloading
    case .passed(let step):
      supervisor.environment.log.debug(
        "log download", metadata: .board(supervisor, ["step": "\(step.rawValue)"]))
      if step == .kept, supervisor.link.isArchiveRefused { await Self.stored(nil, supervisor) }
      await supervisor.environment.gateway.passed(supervisor.board, step)
    case .stored(let failure): await Self.stored(failure, supervisor)
    case .archiveGrew: supervisor.environment.archiveGrew()
    case .downloaded(let download): await Self.took(download, supervisor)
    case .agendaDone: await Self.contactDone(supervisor)
    case .settings(let wanted, let applied): supervisor.setup.take(settings: wanted, applied)
    case .ordersApplied:
      supervisor.contacts.isSetupPending = false
      await supervisor.carryOut(supervisor.setup.ordersApplied(at: now, uptime: uptime))
      await UpdateEffects.take(.applied, by: supervisor)
    case .surveyed(let survey): supervisor.setup.take(survey)
    case .programMemory(let record, let own):
      supervisor.setup.take(record, own: own)
      await supervisor.remember()
    case .battery(let percent, let millivolts, let time):
      if let draft = supervisor.status.battery(percent, millivolts, at: time) {
        await supervisor.publish(draft)
      }
    case .charging(let isCharging): supervisor.status.state.battery.isCharging = isCharging
    case .event(.button(let isPressed), let time):
      await supervisor.publish(supervisor.status.button(isPressed: isPressed, at: time))
    case .missedPoll(let draft): await supervisor.publish(draft)
    case .packet(let time): supervisor.status.packetCame(at: time, uptime: uptime)
    case .resumed(let stream, let cutOff, let time, let missing, let begun):
      // All at once: a kill in between would leave neither session known, or the old one, and its hole told again.
      let marks = (begun.map { [.began($0)] } ?? []) + Self.forget(cutOff, of: stream, supervisor)
      let reason = cutOff.reason ?? (supervisor.link.resetSinceLast ? .boardReset : .radio)
      if missing > 0 { supervisor.status.lost(missing, at: uptime) }
      // A slow stream that comes back within its period has lost nothing.
      if missing != 0 {
        let gap = EventDraft.gap(in: stream, cutOff, until: time, count: missing, reason: reason)
        await supervisor.publish(gap, with: marks)
      } else {
        await supervisor.environment.deliver(marks.map { .stream($0) })
      }
    case .missed(_, _, let missed, _):
      supervisor.status.lost(missed.count, at: uptime)
      if let draft { await supervisor.publish(draft) }
    case .lost(_, let count): supervisor.status.lost(count, at: uptime)
    case .event(.happened, _), .silence, .rate, .impossible, .possible, .leftOut:
      if let draft { await supervisor.publish(draft) }
    }
    supervisor.dueWorkWaker.wake()
  }

  private static func interviewed(
    _ interview: Interview, _ boots: BootRecord, hasRebooted: Bool, _ supervisor: isolated BoardSupervisor
  ) async {
    let now = supervisor.now
    let identity = supervisor.status.identity.judge(
      interview.description, wanted: supervisor.setup.desired.serial,
      wasMismatched: supervisor.status.facts.mismatch != nil)
    let reset = supervisor.link.answered(hasReset: hasRebooted, isUpdating: supervisor.update != nil)
    supervisor.boots = boots
    supervisor.status.answered(
      supervisor.environment.offers.sharing(interview.description), boot: boots.count, at: now,
      uptime: supervisor.uptime)
    supervisor.memory.driverMemory = interview.memory
    supervisor.memory.resetID = boots.resetID
    supervisor.memory.bootTime = boots.bootTime
    supervisor.memory.bootCount = boots.count
    supervisor.memory.description = BoardMemoryCoding.description(of: supervisor.status)
    await supervisor.remember()
    supervisor.publishInfo()
    await FirmwareNotice.publish(by: supervisor)
    if let identity { await supervisor.publish(identity) }
    await UpdateEffects.take(.application(interview.description.firmwareRevision), by: supervisor)
    let adapter = supervisor.state.adapter?.description ?? ""
    await supervisor.publish(EventDraft(.linkUp, "up", fields: ["adapter": .string(adapter)]))
    if let reset {
      if reset == "unexpected" { supervisor.status.resetUnexpectedly() }
      await supervisor.publish(
        EventDraft(
          .reset, reset,
          fields: [
            "boot": .integer(Int64(boots.count)), "reset_uid": .integer(Int64(interview.resetID)),
          ]))
      // A reset clears the LED.
      await supervisor.show(LEDState(appearance: nil, until: nil, time: supervisor.now))
      await supervisor.carryOut(supervisor.setup.boardReset())
    }
    supervisor.commands.returned(hasRebooted: hasRebooted)
  }

  /// How the log stands.
  private static func took(_ snapshot: LogSnapshot, _ supervisor: isolated BoardSupervisor) async {
    supervisor.log.take(snapshot, at: supervisor.now)
    if snapshot.isLogging { supervisor.setup.seenLogging() }
    await judgeClock(snapshot.clock, supervisor)
    await supervisor.remember()
    // It may be due earlier by now.
    supervisor.connectionWaker.wake()
  }

  /// How well the times of what the board logs are known.
  private static func judgeClock(_ clock: BoardTick, _ supervisor: isolated BoardSupervisor) async {
    let environment = supervisor.environment
    guard let timing = environment.family.logFormat?.timing,
      let anchors = try? await environment.store.logs.clockAnchorsAtEnds(of: supervisor.board),
      !anchors.isEmpty
    else { return }
    let history = BoardHistory(anchors, timing: timing).latest
    var dating = LogDating(
      [LogBoot(resetID: clock.resetID, resets: 0, first: clock.tick)], of: history,
      boot: supervisor.boots.count, tick: clock.tick, started: supervisor.now)
    supervisor.status.clockError = dating.date(clock).error.map { ($0.inSeconds * 10_000).rounded() / 10 }
    supervisor.status.state.clock.drift = history.drift.map { ($0 * 100).rounded() / 100 }
  }

  private static func took(_ download: LogDownload, _ supervisor: isolated BoardSupervisor) async {
    supervisor.environment.archiveGrew()
    if supervisor.log.stoppedForBroker != download.isUnpublished {
      supervisor.log.stoppedForBroker = download.isUnpublished
      await supervisor.remember()
    }
    supervisor.contacts.retry.ended(
      isComplete: download.isComplete, isFinished: download.isFinished, at: supervisor.now)
    // At least one sample where nobody knows how many.
    if download.lost > 0 { supervisor.status.lost(max(1, download.samplesLost), at: supervisor.uptime) }
    guard download.expected > 0 || download.stored > 0 else { return }
    await supervisor.publish(
      EventDraft(
        .logDownloaded, download.isComplete ? "complete" : "short", fields: download.fields,
        message: download.isComplete ? nil : download.shortfall))
  }

  private static func stored(_ failure: StoreFailure?, _ supervisor: isolated BoardSupervisor) async {
    supervisor.link.isArchiveRefused = failure != nil
    await supervisor.environment.gateway.archived(supervisor.board, failure)
  }

  /// The contact has done what it was for.
  private static func contactDone(_ supervisor: isolated BoardSupervisor) async {
    if supervisor.contacts.done() {
      supervisor.log.lastContact = Timestamp(milliseconds: supervisor.now.milliseconds)
      await supervisor.remember()
    }
    // Whoever has a command under way, or changes the board, is not left.
    guard !supervisor.desiredSetup.keepsConnection, supervisor.isIdle, !supervisor.contacts.isSetupPending
    else { return }
    supervisor.link.isReady = false
    await supervisor.link.session?.close(isUnwanted: true)
  }

  /// What is missing behind a session is being published: nothing has to be known of it any more. Returns what is over.
  private static func forget(
    _ cutOff: StreamInterruption, of stream: String, _ supervisor: isolated BoardSupervisor
  ) -> [StreamCheckpoint] {
    let kept = supervisor.memory.cutOff
    let others = kept.filter { $0.stream == stream && $0.session != cutOff.session }
    supervisor.memory.cutOff.removeAll { $0.stream == stream }
    return [.ended(cutOff.session)] + others.map { .ended($0.session) }
  }
}
