import BoardKit
import FleetModel
import Storage

/// Downloading a board's log: stop, look, begin, read out, end, clear, resume. What it goes by stands in the store and on
/// the board, so that it may break off anywhere. Confined to its session.
final class LogDownloader {
  private let context: SessionContext
  private let log: BoardLog
  private let runs: LogRuns
  private let losses: LogLosses
  private let foreign: ForeignLoggers
  private let keeper: LogKeeper
  private let setup: SessionSetup
  private let reader: LogReader
  private var isUnderWay = false
  /// Of whoever waits for the end of a download.
  private var endAlarms: [Alarm] = []

  init(
    _ context: SessionContext, log: BoardLog, runs: LogRuns, losses: LogLosses, foreign: ForeignLoggers,
    keeper: LogKeeper, setup: SessionSetup
  ) {
    (self.context, self.log, self.runs, self.losses) = (context, log, runs, losses)
    (self.foreign, self.keeper, self.setup) = (foreign, keeper, setup)
    reader = LogReader(context, log: log, losses: losses)
  }

  func download(_ order: DownloadOrder, stages: CommandStages) async -> DownloadEnd {
    guard let source = context.driver.logs else {
      return .failed(CommandFailure(.unsupported, "this board has no log"))
    }
    isUnderWay = true
    await context.report(.downloading(true))
    let end: DownloadEnd
    do throws(ProtocolFailure) { end = try await download(order, from: source, stages) } catch {
      log.giveUp(error)
      end = .failed(CommandFailure(.boardError, error.linkFailure.message))
    }
    await leave(source)
    isUnderWay = false
    for alarm in endAlarms { alarm.ring() }
    await context.report(.downloading(false))
    if var download = end.download {
      context.orders.logs.wasHeldForBroker = reader.isUnpublished
      download.isUnpublished = reader.isUnpublished
      await context.report(.downloaded(download))
    }
    return end
  }

  /// What would not be understood any more once the board logs anew (fault F39), and what a download that was cut off left
  /// behind.
  func rescue() async {
    guard context.end == nil, context.orders.logs.mayResume, log.duty?.downloadsFirst == true else { return }
    _ = await download(DownloadOrder(), stages: .silent)
  }

  /// The download that a visit is for.
  func visit() async {
    // Looked at anew: whoever was here since may have made loggers.
    if log.run == nil { await foreign.meet(anew: true) }
    if context.end == nil, !foreign.ownTheLog { _ = await download(DownloadOrder(), stages: .silent) }
  }

  /// Has a download under way end with the piece that it is at. Returns when it has and the board logs on, or when `limit`
  /// has passed.
  func stop(within limit: Duration) async {
    guard isUnderWay else { return }
    reader.isStopping = true
    let alarm = Alarm()
    endAlarms.append(alarm)
    let deadline = context.uptime + limit
    while isUnderWay, context.end == nil, context.uptime < deadline, !Task.isCancelled {
      await alarm.sleep(atMost: deadline - context.uptime, by: context.environment.timekeeper)
    }
  }

  private func download(
    _ order: DownloadOrder, from source: any LogSource, _ stages: CommandStages
  ) async throws(ProtocolFailure) -> DownloadEnd {
    let orders = context.orders.logs
    let mayErase = order.clear ?? (orders.clear != .never)
    reader.isUnpublished = false
    guard let before = try await log.look() else { throw .unexpected("a log that tells nothing") }
    // Before anything is touched.
    if !mayErase, let refusal = refuse(before) { return refusal }
    let logged = before.status.isLogging
    let resumes = order.resume ?? (logged || !context.orders.logs.wanted.isEmpty)
    // The board logs nothing from the stop to the start: all that can be asked is asked before it (fault F150).
    let others = try await foreign.streams(source)
    try await source.prepareReadOut()
    if logged, resumes { await losses.pauseBegins() }
    // Also of a board that does not log: what waits in its memory is written then (fault F37).
    try await source.stop()
    await passed(.stopped)
    guard let duty = try await log.recount(source, withClock: true) else {
      throw .unexpected("a log that tells nothing")
    }
    guard duty.entries > 0 else {
      let download = await nothingToRead()
      if resumes { try await keeper.resume(source) }
      return .over(download)
    }
    if !mayErase, let refusal = refuse(duty) {
      if resumes { try await keeper.resume(source) }
      return refusal
    }
    guard let run = await runs.adopt(duty, others) else {
      if resumes { try await keeper.resume(source) }
      return .failed(CommandFailure(.internal, "the gateway cannot store what the board has logged"))
    }
    // Before any of its samples can be published, and once: pages that are confirmed count as recycled, too.
    if run.progress == .logging, duty.isWrapped { await losses.noteWrap(run) }
    do throws(StoreFailure) {
      try await context.store.logs.beginReadOut(
        of: run.id, expecting: duty.entries, look: duty.status.clock.clock)
    } catch {
      if resumes { try await keeper.resume(source) }
      return .failed(
        CommandFailure(.internal, "the gateway cannot store what the board has logged: \(error)"))
    }
    await passed(.begun)
    let release = PageRelease(
      order, policy: context.orders.logs.clear, isDatable: log.duty?.isRunOfEarlierBoot == false,
      wasHeld: context.orders.logs.wasHeldForBroker)
    var tally = ReadOutTally(
      run, entries: duty.entries, format: context.environment.family.logFormat, at: context.uptime)
    let readOut = try await reader.readOut(duty.entries, release, from: source, &tally, stages)
    await passed(.readOut)
    var download = LogDownload(session: run.id, stored: run.stored, streams: run.streams.map(\.name))
    await finish(&download, tally, readOut, duty)
    do throws(ProtocolFailure) {
      let hasForeign = !others.isEmpty || !tally.unknown.isEmpty
      try await settle(&download, order, release, run, from: source, hasForeignEntries: hasForeign)
      if resumes, context.end == nil { try await keeper.resume(source) }
    } catch {
      // What came is kept, and told.
      log.giveUp(error)
    }
    await passed(.resumed)
    return DownloadEnd(
      readOut.end, of: download, isStopping: reader.isStopping, isUnpublished: reader.isUnpublished)
  }

  private func passed(_ step: DownloadStep) async { await context.report(.passed(step)) }

  /// A log that cannot be read without erasing it is left alone.
  private func refuse(_ duty: LogDuty) -> DownloadEnd? {
    guard let refusal = LogReplies.refusal(ofKeeping: duty) else { return nil }
    let stored = log.run?.stored ?? 0
    return .refusal(
      refusal,
      LogDownload(session: log.run?.id ?? context.makeID(), expected: stored + duty.entries, stored: stored))
  }

  /// An empty log is asked nothing (fault F36).
  private func nothingToRead() async -> LogDownload {
    var download = LogDownload(session: log.run?.id ?? context.makeID(), isComplete: true)
    if let run = log.run {
      (download.expected, download.stored) = (run.stored, run.stored)
      download.streams = run.streams.map(\.name)
      // What was downloaded before is not there any more.
      if run.progress != .logging || run.stored > 0 { download.isCleared = await noteCleared(run) }
    }
    await renewLoggers()
    return download
  }

  /// Writes down how a read-out ended, and tells of what came that nobody asked for.
  private func finish(
    _ download: inout LogDownload, _ tally: ReadOutTally, _ readOut: LogReadOut, _ duty: LogDuty
  ) async {
    download.took(tally, readOut, isUnpublished: reader.isUnpublished)
    do throws(StoreFailure) {
      let run = try await context.store.logs.endReadOut(
        of: download.session, isFinished: readOut.end == .finished, received: readOut.entries)
      log.run = run
      download.ended(run, counted: duty.entries)
      if duty.isFull { log.overflow = context.orders.logs.estimate?.full ?? context.now }
    } catch {
      download.expected = duty.entries
    }
    await passed(.ended)
    if !tally.unknown.isEmpty {
      context.tell(
        .unknownLogger, "undecoded",
        [
          "session": .string(download.session.description),
          "slots": .array(tally.unknown.keys.sorted().map { .integer(Int64($0)) }),
          "entries": .integer(Int64(download.undecoded)),
        ])
    }
  }

  /// Leaves nothing on the board that is known to be stored, as far as that is wanted.
  private func settle(
    _ download: inout LogDownload, _ order: DownloadOrder, _ release: PageRelease, _ run: LogSession,
    from source: any LogSource, hasForeignEntries: Bool
  ) async throws(ProtocolFailure) {
    guard download.isComplete || download.lost > 0 || download.undecoded > 0 else { return }
    let policy = context.orders.logs.clear
    if try await log.recount(source, withClock: false)?.entries == 0 {
      // Its pages were erased one by one as they were confirmed.
      download.isCleared = await noteCleared(run)
    } else if download.mayClear(order, policy: policy, hasForeignEntries: hasForeignEntries),
      await reader.mayErase(run, release, &download)
    {
      try await source.clear()
      context.orders.logs.cleared = context.now
      let left = try await log.recount(source, withClock: false, isCleared: true)?.entries
      await passed(.cleared)
      if left == 0 { download.isCleared = await noteCleared(run) }
    }
    if download.isCleared { await renewLoggers() }
  }

  private func noteCleared(_ run: LogSession) async -> Bool {
    guard await runs.end(run) else { return false }
    await passed(.noted)
    return true
  }

  /// Loggers that had to stay as they were for what they had written become what is wanted.
  private func renewLoggers() async {
    let orders = context.orders.logs
    guard context.end == nil, setup.streams.isProgramApplied, orders.made != orders.wanted else { return }
    await setup.streams.apply()
    if context.end == nil { await setup.program.apply() }
  }

  /// What can wait until the board logs again.
  private func leave(_ source: any LogSource) async {
    guard context.end == nil else { return }
    do throws(ProtocolFailure) {
      try await source.leaveReadOut()
      try await log.look()
    } catch {
      log.giveUp(error)
    }
  }
}
