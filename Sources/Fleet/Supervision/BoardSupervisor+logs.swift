import BoardKit
import FleetModel
import Storage

/// The board's log: how it stands, and what became of it.
extension BoardSupervisor {
  var isLogCircular: Bool { logMemory.overlay.isCircular ?? desired.profile.isLogCircular }

  var logOrders: LogOrders {
    LogOrders(
      wanted: wantedLogs, isCircular: isLogCircular, made: logMemory.made, clear: desired.profile.visit.clear,
      cleared: logMemory.cleared, estimate: logMemory.estimate,
      isWatched: logMemory.estimate != nil || desired.profile.visit.every != nil,
      foreign: logMemory.foreign, wasHeldForBroker: logMemory.wasHeldForBroker,
      takesForeign: desired.profile.visit.takesForeign,
      mayResume: contacts.retry.allows(at: now))
  }

  func orderLogs() async {
    await session?.order(
      logs: wantedLogs, isCircular: isLogCircular, clear: desired.profile.visit.clear,
      takesForeign: desired.profile.visit.takesForeign)
  }

  /// How the log stands.
  func took(_ standing: LogStanding) async {
    var estimate = LogEstimate(
      entries: standing.entries, capacity: standing.capacity, isLogging: standing.isLogging,
      time: Timestamp(milliseconds: now.milliseconds), rate: LogEstimate.rate(of: logMemory.made))
    estimate.rate = estimate.rate ?? logMemory.estimate.flatMap { estimate.observedRate(since: $0) }
    logMemory.estimate = estimate
    if standing.isLogging, held.logFailure != nil {
      held.logStarted(nil)
      configurationIsDue = true
    }
    await judgeClock(standing.clock)
    if standing.isCleared { logMemory.cleared = Timestamp(milliseconds: now.milliseconds) }
    await rememberOverlay()
    // It may be due earlier by now.
    linkAlarm.ring()
  }

  /// How well the times of what the board logs are known.
  private func judgeClock(_ clock: BoardTick) async {
    guard let timing = environment.family.logFormat?.timing,
      let anchors = try? await environment.store.clockAnchorsAtEnds(of: board), !anchors.isEmpty
    else { return }
    let history = BoardHistory(anchors, timing: timing).latest
    var dating = LogDating(
      [TickRun(resetID: clock.resetID, resets: 0, first: clock.tick)], of: history, boot: boots.count,
      tick: clock.tick, started: now)
    clockError = dating.date(clock).error.map { ($0.inSeconds * 10_000).rounded() / 10 }
    state.clock.drift = history.drift.map { ($0 * 100).rounded() / 100 }
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
      refused: Dictionary(uniqueKeysWithValues: refused.map { (SetupKey(.log, $0.key), $0.value) }))
    configurationIsDue = true
    await rememberOverlay()
  }

  func took(_ download: LogDownload) async {
    environment.archiveGrew()
    if logMemory.wasHeldForBroker != download.isUnpublished {
      logMemory.wasHeldForBroker = download.isUnpublished
      await rememberOverlay()
    }
    contacts.retry.ended(isComplete: download.isComplete, isFinished: download.isFinished, at: now)
    // At least one sample where nobody knows how many.
    if download.lost > 0 { samplesLost.add(max(1, download.samplesLost), at: uptime) }
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
