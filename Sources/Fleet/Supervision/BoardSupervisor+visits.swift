import BoardKit
import FleetModel
import Storage

/// What a supervisor knows of the contacts with its board while the daemon runs.
struct ContactBook: Hashable, Sendable {
  /// Downloads that fell short.
  var retry = LogRetry()
  /// Whether something is wanted of the board that it was not told yet.
  var isSetupPending = true
  /// Whether a contact's agenda is under way, and whether the contact was due.
  var isUnderWay = false
  var isDue = false
  /// Whether the link has had its agenda.
  var isVisited = false
  /// The due time that was told as missed.
  var missed: Timestamp?
}

/// Contacts with the board: when, what for, and what became of its log.
extension BoardSupervisor {
  private var schedule: Schedule {
    Schedule(
      board: board, visit: desired.profile.visit,
      readPeriod: wishes.readPeriod,
      watchesBattery: !isHeld && environment.configuration.schedules.battery != .never)
  }

  /// When the next contact is due; nil = none by itself.
  var nextDue: Timestamp? {
    schedule.due(
      Schedule.Facts(
        lastContact: logMemory.lastContact, logLimit: logMemory.estimate?.reaches(LogEstimate.limit),
        retry: contacts.retry.next, batteryPercent: state.batteryPercent),
      now: now, offset: environment.timekeeper.offsetFromUTC(at: now))
  }

  /// How long to wait before the board is called: nil = not at all; a held link is always wanted.
  var pauseBeforeContact: (isNow: Bool, until: Duration?) {
    if isHeld || contacts.isSetupPending || linkWaiters.contains(where: { !$0.isPatient })
      || rebootWaiter != nil
    {
      return (true, nil)
    }
    guard let due = nextDue else { return (false, nil) }
    return due <= now ? (true, nil) : (false, uptime + (due - now))
  }

  /// What a link is wanted for.
  var contactPurpose: AirtimePlan.Purpose {
    if linkWaiters.contains(where: { !$0.isPatient }) || rebootWaiter != nil { return .command }
    if isHeld { return .stream }
    return desired.profile.visit.download && logMemory.estimate != nil ? .download : .poll
  }

  /// How long silence is fine, where the profile does not say it.
  var standardWindow: Duration {
    if isHeld { return .seconds(60) }
    return max(.seconds(600), (schedule.period ?? Schedule.longestPause) * 2)
  }

  /// Gives a link its agenda when it is time. Returns when that may be.
  func tendContact() async -> Duration? {
    if let late = lateContact() { await late.tell(self) }
    let due = nextDue
    guard let session, isSettled, !contacts.isUnderWay else { return wake(at: due) }
    let isDue = due.map { $0 <= now } ?? false
    let isVisit = !isHeld
    guard isDue || isVisit && commandsWaiting == 0 && setupChanges == 0 else { return wake(at: due) }
    (contacts.isUnderWay, contacts.isDue) = (true, isDue)
    let downloads = isDue && desired.profile.visit.download && contacts.retry.allows(at: now)
    var agenda = VisitAgenda(
      isDue: isDue, isVisit: isVisit && !contacts.isVisited,
      hasLog: !wantedLogs.isEmpty || logMemory.estimate != nil,
      downloads: downloads)
    agenda.add(VisitAgenda([.leave]))
    await session.order(agenda)
    return nil
  }

  private func wake(at due: Timestamp?) -> Duration? {
    guard let due, due > now else { return nil }
    return uptime + (due - now)
  }

  /// The contact has done what it was for.
  func contactDone() async {
    contacts.isUnderWay = false
    contacts.isVisited = true
    if contacts.isDue {
      logMemory.lastContact = Timestamp(milliseconds: now.milliseconds)
      contacts.missed = nil
      if contacts.retry.next == nil { contacts.retry.visited() }
      await rememberOverlay()
    }
    contacts.isDue = false
    // Whoever has a command under way, or changes the board, is not left.
    guard !isHeld, commandsWaiting == 0, setupChanges == 0, !contacts.isSetupPending else { return }
    isSessionReady = false
    await session?.close()
  }

  /// A contact that was due and did not come about is told once (MQTT contract 5).
  private func lateContact() -> LateContact? {
    guard !isHeld, session == nil, logMemory.lastContact != nil, let due = nextDue, contacts.missed != due,
      now - due >= schedule.tolerance()
    else { return nil }
    contacts.missed = due
    return LateContact(due: due, late: now - due)
  }

  private struct LateContact {
    var due: Timestamp
    var late: Duration

    func tell(_ supervisor: isolated BoardSupervisor) async {
      await supervisor.tell(
        .contactMissed, "missed",
        fields: [
          "due_ms": .integer(due.milliseconds), "late_s": .number((late.inSeconds * 10).rounded() / 10),
        ])
    }
  }

  // The log.

  var isLogCircular: Bool { logMemory.overlay.isCircular ?? desired.profile.isLogCircular }

  var logOrders: LogOrders {
    LogOrders(
      wanted: wantedLogs, isCircular: isLogCircular, made: logMemory.made, clear: desired.profile.visit.clear,
      cleared: logMemory.cleared, estimate: logMemory.estimate,
      isWatched: logMemory.estimate != nil || desired.profile.visit.every != nil,
      mayResume: contacts.retry.allows(at: now))
  }

  func orderLogs() async {
    await session?.order(logs: wantedLogs, isCircular: isLogCircular, clear: desired.profile.visit.clear)
  }

  /// How the log stands.
  func took(_ standing: LogStanding) async {
    var estimate = LogEstimate(
      entries: standing.entries, capacity: standing.capacity, isLogging: standing.isLogging,
      time: Timestamp(milliseconds: now.milliseconds), rate: LogEstimate.rate(of: logMemory.made))
    estimate.rate = estimate.rate ?? logMemory.estimate.flatMap { estimate.observedRate(since: $0) }
    logMemory.estimate = estimate
    await judgeClock(standing.clock)
    if standing.isCleared { logMemory.cleared = Timestamp(milliseconds: now.milliseconds) }
    await rememberOverlay()
    // It may be due earlier by now.
    linkAlarm.ring()
  }

  /// How well the times of what the board logs are known.
  private func judgeClock(_ clock: BoardTick) async {
    guard let timing = environment.family.logFormat?.timing,
      let anchors = try? await environment.store.clockAnchors(of: board), !anchors.isEmpty
    else { return }
    let history = BoardHistory(anchors, timing: timing)
    var dating = LogDating(
      [TickRun(resetID: clock.resetID, resets: 0, first: clock.tick)], of: history, boot: boots.count,
      tick: clock.tick, started: now)
    clockError = dating.date(clock).error.map { ($0.inSeconds * 10_000).rounded() / 10 }
    state.drift = history.drift.map { ($0 * 100).rounded() / 100 }
  }

  func took(
    loggers made: [String: StreamRequest], _ logged: [LoggedStream], _ refused: [String: CommandFailure]
  ) async {
    logMemory.made = made
    refusedLogs = refused
    let wanted = wantedLogs
    // What a chain has logged is told with the chain.
    let ofChains = wantedProgram.program.logs
    let kept = made.filter { wanted[$0.key] != nil && ofChains[$0.key] != $0.value }
    let effective = Dictionary(
      logged.map { ($0.name, StreamRequest(name: $0.name, configuration: $0.configuration)) },
      uniquingKeysWith: { first, _ in first })
    // What its loggers were made for is what they do, be it wanted otherwise by now.
    held.take(
      [.log], wanted: SetupDeclaration(streams: [:], logs: kept),
      effective: SetupDeclaration(streams: [:], logs: effective),
      refused: Dictionary(uniqueKeysWithValues: refused.map { (SetupKey(.log, $0.key), $0.value.message) }))
    configurationIsDue = true
    await rememberOverlay()
  }

  func took(_ download: LogDownload) async {
    environment.archiveGrew()
    contacts.retry.ended(isComplete: download.isComplete, isFinished: download.isFinished, at: now)
    guard download.expected > 0 || download.stored > 0 else { return }
    await tell(
      .logDownloaded, download.isComplete ? "complete" : "short", fields: download.fields,
      message: download.isComplete ? nil : download.shortfall)
  }

  /// Tells when the log reaches a level. Returns when it reaches the next one.
  func watchLogLevel() async -> Duration? {
    guard let estimate = logMemory.estimate else { return nil }
    let percent = estimate.usedPercent(at: now)
    if let level = LogLevel.crossed(to: percent, after: logMemory.level) {
      logMemory.level = level
      var fields: JSONObject = ["log_used_pct": .number((percent * 10).rounded() / 10)]
      fields["log_full_ms"] = estimate.full.map { .integer($0.milliseconds) }
      await tell(.logLevel, level.rawValue, fields: fields)
      await rememberOverlay()
    } else if let last = logMemory.level, LogLevel.of(percent).map({ $0 < last }) ?? true {
      logMemory.level = LogLevel.of(percent)
    }
    let next = LogLevel.allCases.first { percent < $0.percent }.flatMap { estimate.reaches($0.percent / 100) }
    return wake(at: next)
  }
}
