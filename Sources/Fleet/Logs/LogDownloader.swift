import BoardKit
import FleetModel
import Storage

/// Downloading a board's log: stop, look, begin, read out, end, clear, resume. What it goes by stands in the store and
/// on the board, so that it may break off anywhere. Confined to its session.
final class LogDownloader {
  private let context: SessionContext
  private let log: BoardLog
  private let runs: LogSessions
  private let losses: LogLosses
  private let foreign: ForeignLoggers
  private let reconciler: LogReconciler
  private let setup: SessionSetup
  private let reader: LogReader
  private var isUnderWay = false
  /// Of whoever waits for the end of a download.
  private var endWakers: [TaskWaker] = []

  init(
    _ context: SessionContext, log: BoardLog, runs: LogSessions, losses: LogLosses, foreign: ForeignLoggers,
    reconciler: LogReconciler, setup: SessionSetup
  ) {
    (self.context, self.log, self.runs, self.losses) = (context, log, runs, losses)
    (self.foreign, self.reconciler, self.setup) = (foreign, reconciler, setup)
    reader = LogReader(context, log: log, losses: losses)
  }

  func download(_ order: DownloadOrder, stages: CommandProgress) async -> DownloadResult {
    guard let source = context.driver.logs else {
      return .failed(CommandFailure(.unsupported, "this board has no logging module"))
    }
    isUnderWay = true
    await context.report(.downloading(true))
    let end: DownloadResult
    do throws(ProtocolFailure) { end = try await download(order, from: source, stages) } catch {
      log.giveUp(error)
      end = .failed(CommandFailure(.boardError, error.linkFailure.message))
    }
    await leave(source)
    isUnderWay = false
    for waker in endWakers { waker.wake() }
    await context.report(.downloading(false))
    if var download = end.download {
      context.orders.logs.stoppedForBroker = reader.isUnpublished
      download.isUnpublished = reader.isUnpublished
      await context.report(.downloaded(download))
    }
    return end
  }

  /// What would not be understood any more once the board logs anew (fault F39), and what a download that was cut off
  /// left behind.
  func rescue() async {
    guard context.end == nil, context.orders.logs.mayResume, log.plan?.downloadsFirst == true else { return }
    _ = await download(DownloadOrder(), stages: .silent)
  }

  /// The download that a visit is for.
  func visit() async {
    // Looked at anew: whoever was here since may have made loggers.
    if log.run == nil { await foreign.meet(anew: true) }
    if context.end == nil, !foreign.ownTheLog { _ = await download(DownloadOrder(), stages: .silent) }
  }

  /// Has a download under way end with the piece that it is at. Returns when it has and the board logs on, or when
  /// `limit` has passed.
  func stop(within limit: Duration) async {
    guard isUnderWay else { return }
    reader.isStopping = true
    let waker = TaskWaker()
    endWakers.append(waker)
    let deadline = context.uptime + limit
    while isUnderWay, context.end == nil, context.uptime < deadline, !Task.isCancelled {
      await waker.sleep(atMost: deadline - context.uptime, by: context.environment.timekeeper)
    }
  }

  private func download(
    _ order: DownloadOrder, from source: any LogSource, _ stages: CommandProgress
  ) async throws(ProtocolFailure) -> DownloadResult {
    let orders = context.orders.logs
    let mayErase = order.clear ?? (orders.clear != .never)
    reader.isUnpublished = false
    guard let before = try await log.readStatus() else { throw .unexpected("a log that tells nothing") }
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
    guard let plan = try await log.recount(source, withClock: true) else {
      throw .unexpected("a log that tells nothing")
    }
    guard plan.entries > 0 else {
      let download = await nothingToRead()
      if resumes { try await reconciler.resume(source) }
      return .over(download)
    }
    if !mayErase, let refusal = refuse(plan) {
      if resumes { try await reconciler.resume(source) }
      return refusal
    }
    guard let run = await runs.adopt(plan, others) else {
      if resumes { try await reconciler.resume(source) }
      return .failed(CommandFailure(.internal, "the gateway cannot store what the board has logged"))
    }
    // Before any of its samples can be published, and once: pages that are confirmed count as recycled, too.
    if run.progress == .logging, plan.isWrapped { await losses.noteWrap(run) }
    do throws(StoreFailure) {
      try await context.store.logs.beginReadOut(
        of: run.id, expecting: plan.entries, reading: plan.status.clock.clock)
    } catch {
      if resumes { try await reconciler.resume(source) }
      return .failed(
        CommandFailure(.internal, "the gateway cannot store the board's log: \(error)"))
    }
    await passed(.begun)
    let release = PageErasure(
      order, policy: context.orders.logs.clear, isDatable: log.plan?.isRunOfEarlierBoot == false,
      wasStoppedForBroker: context.orders.logs.stoppedForBroker)
    var tally = ReadOutCounts(
      run, entries: plan.entries, format: context.environment.family.logFormat, at: context.uptime)
    let readOut = try await reader.readOut(plan.entries, release, from: source, &tally, stages)
    await passed(.readOut)
    var download = LogDownload(session: run.id, stored: run.stored, streams: run.streams.map(\.name))
    await finish(&download, tally, readOut, plan)
    do throws(ProtocolFailure) {
      let hasForeign = !others.isEmpty || !tally.unknown.isEmpty
      try await clearIfComplete(&download, order, release, run, from: source, hasForeignEntries: hasForeign)
      if resumes, context.end == nil { try await reconciler.resume(source) }
    } catch {
      // What came is kept, and reported.
      log.giveUp(error)
    }
    await passed(.resumed)
    return DownloadResult(
      readOut.end, of: download, isStopping: reader.isStopping, isUnpublished: reader.isUnpublished)
  }

  private func passed(_ step: DownloadStep) async { await context.report(.passed(step)) }

  /// A log that cannot be read without erasing it is left alone.
  private func refuse(_ plan: LogPlan) -> DownloadResult? {
    guard let refusal = LogReplies.refusal(ofKeeping: plan) else { return nil }
    let stored = log.run?.stored ?? 0
    return .refusal(
      refusal,
      LogDownload(session: log.run?.id ?? context.makeID(), expected: stored + plan.entries, stored: stored))
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
    await reconfigureLoggers()
    return download
  }

  /// Writes down how a read-out ended, and tells of what came that nobody asked for.
  private func finish(
    _ download: inout LogDownload, _ tally: ReadOutCounts, _ readOut: LogReadOutResult, _ plan: LogPlan
  ) async {
    download.took(tally, readOut, isUnpublished: reader.isUnpublished)
    do throws(StoreFailure) {
      let run = try await context.store.logs.endReadOut(
        of: download.session, isFinished: readOut.end == .finished, received: readOut.entries)
      log.run = run
      download.ended(run, counted: plan.entries)
      if plan.isFull { log.overflow = context.orders.logs.estimate?.full ?? context.now }
    } catch {
      download.expected = plan.entries
    }
    await passed(.ended)
    if !tally.unknown.isEmpty {
      context.reportEvent(
        .unknownLogger, "undecoded",
        [
          "session": .string(download.session.description),
          "slots": .array(tally.unknown.keys.sorted().map { .integer(Int64($0)) }),
          "entries": .integer(Int64(download.undecoded)),
        ])
    }
  }

  /// Leaves nothing on the board that is known to be stored, as far as that is wanted.
  private func clearIfComplete(
    _ download: inout LogDownload, _ order: DownloadOrder, _ release: PageErasure, _ run: LogSession,
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
    if download.isCleared { await reconfigureLoggers() }
  }

  private func noteCleared(_ run: LogSession) async -> Bool {
    guard await runs.end(run) else { return false }
    await passed(.noted)
    return true
  }

  /// Loggers that had to stay as they were for what they had written become what is wanted.
  private func reconfigureLoggers() async {
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
      try await log.readStatus()
    } catch {
      log.giveUp(error)
    }
  }
}
