import BoardKit
import FleetModel
import Storage

/// The board's log: looking at it, and keeping the board logging as it is wanted.
extension BoardSession {
  /// What the board shall do by itself, logging included.
  var wantedProgram: BoardProgram {
    var program = orders.program.program
    program.logs = orders.logs.wanted
    return program
  }

  /// The same with the loggers of what waits to be brought home.
  var boardProgram: BoardProgram {
    var program = wantedProgram
    if let duty = logDuty { program.logs = duty.loggers }
    return program
  }

  /// Whose sensors run: a logger that only waits needs none.
  var fedProgram: BoardProgram {
    var program = boardProgram
    program.logs = program.logs.filter { orders.logs.wanted[$0.key] != nil }
    return program
  }

  /// What is to be done about the log; nil before anybody looked at it.
  var logDuty: LogDuty? {
    log.status.map { status in
      LogDuty(
        wanted: orders.logs.wanted, isCircular: orders.logs.isCircular, made: orders.logs.made,
        status: status, run: log.run, boot: orders.boots.count, cleared: orders.logs.cleared)
    }
  }

  /// Looks at the log before anything on the board is changed.
  func takeStockOfLog() async throws(ProtocolFailure) {
    guard driver.logs != nil else { return }
    log.run = try? await environment.store.openLogSession(of: board)
    log.isWatched = orders.logs.isWatched || !orders.logs.wanted.isEmpty || log.run != nil
    guard log.isWatched, let duty = try await lookAtLog() else { return }
    if duty.status.isLogging { await declarePause() }
    if let last = orders.logs.estimate {
      let changes = duty.foreignChanges(since: last)
      if !changes.isEmpty {
        tell(.foreignChange, "changed", ["resources": .array(changes.map { .string($0) })])
      }
    }
  }

  /// Brings home what would not be understood any more once the board logs anew (fault F39), and what a download that was
  /// cut off left behind.
  func rescueLog() async {
    guard end == nil, orders.logs.mayResume, logDuty?.downloadsFirst == true else { return }
    _ = await download(DownloadOrder(), stages: .silent)
  }

  /// Has the board log what is wanted, as far as it may.
  func tendLog() async {
    guard end == nil, let source = driver.logs, log.isWatched || !log.logged.isEmpty else { return }
    log.isWatched = true
    do throws(ProtocolFailure) {
      guard let duty = try await lookAtLog() else { return }
      await endRun(ifOver: duty)
      switch duty.step {
      case .arm:
        guard !log.logged.isEmpty, await beginRun(duty) else { return }
        try await startLog(source)
        _ = try await lookAtLog()
      case .disarm:
        try await source.stop()
        await forgetPause()
        _ = try await lookAtLog()
      case .nothing: if duty.status.isLogging, !duty.downloadsFirst { _ = await beginRun(duty) }
      }
    } catch {
      giveUpLog(error)
    }
  }

  /// Has the board write down; whether it does is part of what is known of its setup (fault F106), and told before
  /// anything is said of that.
  func startLog(_ source: any LogSource) async throws(ProtocolFailure) {
    await pauseEnds()
    do throws(ProtocolFailure) {
      try await source.start(overwriting: orders.logs.isCircular)
    } catch {
      if case .unexpected(let what) = error {
        // What was seen of the log before comes first: that it logged then ends what is told now.
        await handOutNews()
        await environment.report(.logStarted(CommandFailure(.boardError, what)))
      }
      throw error
    }
    await declarePause()
    await environment.report(.logStarted(nil))
  }

  /// Reads clock and log, and keeps the clock's reading.
  @discardableResult
  func lookAtLog() async throws(ProtocolFailure) -> LogDuty? {
    guard let source = driver.logs else { return nil }
    take(try await source.status())
    await keepClock()
    await keepRecycledPages()
    return logDuty
  }

  /// Counts the entries again, with as few questions as that takes.
  func recountLog(
    _ source: any LogSource, withClock: Bool, isCleared: Bool = false
  ) async throws(ProtocolFailure) -> LogDuty? {
    guard let known = log.status else { return try await lookAtLog() }
    take(try await source.recount(known, withClock: withClock), isCleared: isCleared)
    if withClock { await keepClock() }
    return logDuty
  }

  /// A run that began behind a read-out learns how many pages were recycled until then: none since, as long as its log is
  /// less than half full.
  private func keepRecycledPages() async {
    guard var run = log.run, run.recycledPages == nil, run.progress == .logging, let status = log.status,
      let pages = status.recycledPages, 2 * status.entries < status.capacity,
      (try? await environment.store.update(recycledPages: pages, of: run.id)) != nil
    else { return }
    run.recycledPages = pages
    log.run = run
  }

  /// Takes note of how the log stands.
  func take(_ status: LogStatus, isCleared: Bool = false) {
    log.status = status
    if isCleared { orders.logs.cleared = now }
    intake.note(
      .log(
        LogStanding(
          clock: status.clock.clock, entries: logDuty?.entries ?? status.entries, capacity: status.capacity,
          isLogging: status.isLogging, isCleared: isCleared)))
  }

  private func keepClock() async {
    guard let reading = log.status?.clock else { return }
    log.lastClock = now
    let anchor = ClockAnchor(
      reading, boot: orders.boots.count, isHostTimeKnown: environment.isHostTimeKnown())
    await noteJump(to: anchor)
    // Without it times are less certain, and say so.
    try? await environment.store.add(anchor, of: board)
  }

  /// A clock that jumped without a reset is told (fault F154).
  private func noteJump(to anchor: ClockAnchor) async {
    var earlier = log.anchor
    if earlier == nil { earlier = (try? await environment.store.clockAnchorsAtEnds(of: board))?.last }
    log.anchor = anchor
    guard let earlier, let timing = environment.family.logFormat?.timing,
      let jump = ClockJump.duration(from: earlier, to: anchor, timing)
    else { return }
    tell(
      .clock, "jump",
      ["boot": .integer(Int64(anchor.boot)), "jump_ms": .integer(jump.wholeMilliseconds)])
  }

  /// Queues a reading of the clock when its schedule says so.
  func queueClock() {
    guard log.isWatched, isSettled, !log.isClockQueued,
      let due = environment.clockSchedule.due(
        after: log.lastClock, now: now, offset: environment.timekeeper.offsetFromUTC(at: now)), due <= now
    else { return }
    log.isClockQueued = true
    enqueue(.clock)
  }

  func readClock() async {
    log.isClockQueued = false
    do throws(ProtocolFailure) { try await lookAtLog() } catch { giveUpLog(error) }
  }

  /// The run is entered before the board writes for it: whatever happens then, its logger map is known.
  func beginRun(_ duty: LogDuty) async -> Bool {
    do throws(StoreFailure) {
      if !duty.needsNewRun, var run = log.run {
        let isEmpty = duty.entries == 0 && run.stored == 0
        let streams = isEmpty ? log.logged : run.streams + log.logged.filter { !run.streams.contains($0) }
        guard streams != run.streams else { return true }
        try await environment.store.update(streams, of: run.id)
        run.streams = streams
        log.run = run
        return true
      }
      guard !log.logged.isEmpty else { return false }
      let run = LogSession(
        id: ULID(at: now, using: &random), board: board, started: now, streams: log.logged,
        boot: orders.boots.count, resetID: duty.status.clock.clock.resetID,
        tick: duty.status.clock.clock.tick,
        recycledPages: duty.status.recycledPages)
      let earlier = try await environment.store.latestLogSession(of: board)
      try await environment.store.begin(run)
      log.run = run
      await noteInterruption(since: earlier, run)
      return true
    } catch {
      return false
    }
  }

  private func endRun(ifOver duty: LogDuty) async {
    guard duty.isRunOver, let run = log.run else { return }
    do throws(StoreFailure) {
      try await environment.store.noteCleared(run.id)
      log.run = nil
    } catch {
      // It stays open, and is looked at again.
    }
  }

  /// Changes what the board should log; takes effect in its turn.
  func order(
    logs: [String: StreamRequest], isCircular: Bool, clear: VisitPolicy.Clear, takesForeign: Bool
  ) {
    (orders.logs.clear, orders.logs.takesForeign) = (clear, takesForeign)
    guard logs != orders.logs.wanted || isCircular != orders.logs.isCircular else { return }
    (orders.logs.wanted, orders.logs.isCircular) = (logs, isCircular)
    feeding.refusedLogs = [:]
    enqueue(.apply)
    enqueue(.program)
    enqueue(.log)
  }

  /// A board that answered something that cannot be, or fell silent.
  func giveUpLog(_ failure: ProtocolFailure) {
    if case .unexpected(let what) = failure {
      intake.note(.logTrouble("the board's log answered something unexpected: \(what)"))
    } else {
      fail(because: Self.linkFailure(failure))
    }
  }

  func tell(_ kind: EventKind, _ type: String, _ fields: JSONObject) {
    intake.note(.event(.happened(kind, type, fields), at: now))
  }
}
