import BoardKit
import FleetModel
import Storage

/// How a download ended.
enum DownloadEnd: Sendable {
  /// The board was asked for all that it has.
  case over(LogDownload)
  /// The store took no more; nothing was confirmed from then on (fault F90).
  case notKept(LogDownload)
  /// We stopped.
  case interrupted(LogDownload)
  /// It cannot be read without erasing it, and that was not allowed.
  case refused(LogDownload, CommandFailure)
  /// There is nothing to ask, or nobody.
  case failed(CommandFailure)
}

/// Bringing the log home: stop, look, begin, read out, end, clear, resume. What it goes by stands in the store and on the
/// board, so that it may break off anywhere (architecture, 6c).
extension BoardSession {
  func download(_ order: DownloadOrder, stages: CommandStages) async -> DownloadEnd {
    guard let source = driver.logs else {
      return .failed(CommandFailure(.unsupported, "this board has no log"))
    }
    (log.isDownloading, log.isRefused) = (true, false)
    await environment.report(.downloading(true))
    let end: DownloadEnd
    do throws(ProtocolFailure) { end = try await bringHome(order, from: source, stages) } catch {
      giveUpLog(error)
      end = .failed(CommandFailure(.boardError, Self.linkFailure(error).message))
    }
    await leave(source)
    log.isDownloading = false
    await environment.report(.downloading(false))
    switch end {
    case .over(var download), .notKept(var download), .interrupted(var download),
      .refused(var download, _):
      orders.logs.wasHeldForBroker = log.isUnpublished
      download.isUnpublished = log.isUnpublished
      await environment.report(.downloaded(download))
    case .failed: break
    }
    return end
  }

  private func bringHome(
    _ order: DownloadOrder, from source: any LogSource, _ stages: CommandStages
  ) async throws(ProtocolFailure) -> DownloadEnd {
    let mayErase = order.clear ?? (orders.logs.clear != .never)
    log.isUnpublished = false
    guard let before = try await lookAtLog() else { throw .unexpected("a log that tells nothing") }
    // Before anything is touched.
    if !mayErase, let refusal = refuse(before) { return refusal }
    let logged = before.status.isLogging
    let resumes = order.resume ?? (logged || !orders.logs.wanted.isEmpty)
    // The board logs nothing from the stop to the start: all that can be asked is asked before it (fault F150).
    let foreign = try await othersStreams(source)
    try await source.prepareReadOut()
    if logged, resumes { await pauseBegins() }
    // Also of a board that does not log: what waits in its memory is written then (fault F37).
    try await source.stop()
    await passed(.stopped)
    guard let duty = try await recountLog(source, withClock: true) else {
      throw .unexpected("a log that tells nothing")
    }
    guard duty.entries > 0 else {
      let download = await nothingToBringHome()
      if resumes { try await resume(source) }
      return .over(download)
    }
    if !mayErase, let refusal = refuse(duty) {
      if resumes { try await resume(source) }
      return refusal
    }
    guard let run = await run(for: duty, foreign) else {
      if resumes { try await resume(source) }
      return .failed(CommandFailure(.internal, "the gateway cannot store what the board has logged"))
    }
    var tally = ReadOutTally(run, entries: duty.entries, format: environment.family.logFormat, at: uptime)
    var download = LogDownload(session: run.id, stored: run.stored)
    download.streams = run.streams.map(\.name)
    // Before any of its samples can be published, and once: pages that are confirmed count as recycled, too.
    if run.progress == .logging, duty.isWrapped { await noteWrap(run) }
    do throws(StoreFailure) {
      try await environment.store.beginReadOut(
        of: run.id, expecting: duty.entries, look: duty.status.clock.clock)
    } catch {
      if resumes { try await resume(source) }
      return .failed(
        CommandFailure(.internal, "the gateway cannot store what the board has logged: \(error)"))
    }
    await passed(.begun)
    let release = PageRelease(
      order, policy: orders.logs.clear, isDatable: logDuty?.isRunOfEarlierBoot == false,
      wasHeld: orders.logs.wasHeldForBroker)
    let readOut = try await readOut(duty.entries, release, from: source, &tally, stages)
    await passed(.readOut)
    await finish(&download, tally, readOut, duty)
    do throws(ProtocolFailure) {
      let isForeign = !foreign.isEmpty || !tally.unknown.isEmpty
      try await settle(&download, order, release, run, from: source, hasForeignEntries: isForeign)
      if resumes, end == nil { try await resume(source) }
    } catch {
      // What came is kept, and told.
      giveUpLog(error)
    }
    await passed(.resumed)
    switch readOut.end {
    case .notKept where log.isStopping: return .interrupted(download)
    case .notKept where log.isUnpublished:
      let failure = LogReplies.unpublished(download)
      download.refusal = failure.message
      return .refused(download, failure)
    case .notKept: return .notKept(download)
    case .held:
      let refusal = LogReplies.refusal(ofHeld: download)
      download.refusal = refusal.message
      return .refused(download, refusal)
    case .finished, .silent, .doubtful: return .over(download)
    }
  }

  /// A log that cannot be read without erasing it is left alone.
  private func refuse(_ duty: LogDuty) -> DownloadEnd? {
    guard let refusal = LogReplies.refusal(ofKeeping: duty) else { return nil }
    let stored = log.run?.stored ?? 0
    var download = LogDownload(
      session: log.run?.id ?? ULID(at: now, using: &random), expected: stored + duty.entries, stored: stored)
    download.refusal = refusal.message
    return .refused(download, refusal)
  }

  /// An empty log is asked nothing (fault F36).
  private func nothingToBringHome() async -> LogDownload {
    var download = LogDownload(session: log.run?.id ?? ULID(at: now, using: &random), isComplete: true)
    if let run = log.run {
      (download.expected, download.stored, download.streams) = (
        run.stored, run.stored, run.streams.map(\.name)
      )
      // What was brought home before is not there any more.
      if run.progress != .logging || run.stored > 0 { download.isCleared = await noteCleared(run) }
    }
    await renewLoggers()
    return download
  }

  /// Leaves nothing on the board that is known to be stored, as far as that is wanted.
  private func settle(
    _ download: inout LogDownload, _ order: DownloadOrder, _ release: PageRelease, _ run: LogSession,
    from source: any LogSource, hasForeignEntries: Bool
  ) async throws(ProtocolFailure) {
    guard download.isComplete || download.lost > 0 || download.undecoded > 0 else { return }
    if try await recountLog(source, withClock: false)?.entries == 0 {
      // Its pages were erased one by one as they were confirmed.
      download.isCleared = await noteCleared(run)
    } else if download.mayClear(order, policy: orders.logs.clear, hasForeignEntries: hasForeignEntries),
      await mayGo(run, release, &download)
    {
      try await clear(source, &download, run)
    }
    if download.isCleared { await renewLoggers() }
  }

  func passed(_ step: DownloadStep) async { await environment.report(.passed(step)) }

  /// Writes down how a read-out ended, and tells of what came that nobody asked for.
  private func finish(
    _ download: inout LogDownload, _ tally: ReadOutTally, _ readOut: LogReadOut, _ duty: LogDuty
  ) async {
    // A board that holds its pages back tells no more when it is asked again.
    // One whose broker does not answer is asked again at the next visit.
    download.isFinished = readOut.end == .finished || readOut.end == .held || log.isUnpublished
    (download.samples, download.unreadable) = (tally.samples, readOut.malformed)
    (download.lost, download.samplesLost) = (tally.lost, tally.samplesLost)
    download.doubled = tally.doubled
    download.undecoded = tally.unknown.values.reduce(0, +)
    download.isClearedBefore = tally.isErasedBefore
    do throws(StoreFailure) {
      let run = try await environment.store.endReadOut(
        of: download.session, isFinished: readOut.end == .finished, received: readOut.entries)
      log.run = run
      download.expected = run.expected ?? duty.entries
      download.stored = run.stored
      download.isComplete = run.progress == .complete && readOut.malformed == 0 && download.undecoded == 0
      if duty.isFull { log.overflow = orders.logs.estimate?.full ?? now }
    } catch {
      download.expected = duty.entries
    }
    await passed(.ended)
    if !tally.unknown.isEmpty {
      tell(
        .unknownLogger, "undecoded",
        [
          "session": .string(download.session.description),
          "slots": .array(tally.unknown.keys.sorted().map { .integer(Int64($0)) }),
          "entries": .integer(Int64(tally.unknown.values.reduce(0, +))),
        ])
    }
  }

  private func clear(
    _ source: any LogSource, _ download: inout LogDownload, _ run: LogSession
  ) async throws(ProtocolFailure) {
    try await source.clear()
    orders.logs.cleared = now
    let duty = try await recountLog(source, withClock: false, isCleared: true)
    await passed(.cleared)
    guard duty?.entries == 0 else { return }
    download.isCleared = await noteCleared(run)
  }

  /// Loggers that had to stay as they were for what they had written become what is wanted.
  private func renewLoggers() async {
    guard end == nil, isProgramApplied, orders.logs.made != orders.logs.wanted else { return }
    await applyStreams()
    if end == nil { await applyProgram() }
  }

  private func noteCleared(_ run: LogSession) async -> Bool {
    do throws(StoreFailure) { try await environment.store.noteCleared(run.id) } catch { return false }
    log.run = nil
    await passed(.noted)
    return true
  }

  /// Has the board log again: what is wanted, else what it did.
  private func resume(_ source: any LogSource) async throws(ProtocolFailure) {
    guard let duty = logDuty, isProgramApplied, !duty.isFull, !duty.wouldMix else { return }
    if !log.logged.isEmpty { guard await beginRun(duty) else { return } }
    try await startLog(source)
  }

  /// What can wait until the board logs again.
  private func leave(_ source: any LogSource) async {
    guard end == nil else { return }
    do throws(ProtocolFailure) {
      try await source.leaveReadOut()
      try await lookAtLog()
    } catch {
      giveUpLog(error)
    }
  }
}
