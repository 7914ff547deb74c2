import BoardKit
import FleetModel
import Storage

/// Commands that have to do with the log (MQTT contract 3.5). Confined to its session.
final class LogCommands {
  private let context: SessionContext
  private let log: BoardLog
  private let losses: LogLosses
  private let reconciler: LogReconciler
  private let downloader: LogDownloader
  private let setup: SessionSetup

  init(
    _ context: SessionContext, log: BoardLog, losses: LogLosses, reconciler: LogReconciler,
    downloader: LogDownloader,
    setup: SessionSetup
  ) {
    (self.context, self.log, self.losses) = (context, log, losses)
    (self.reconciler, self.downloader, self.setup) = (reconciler, downloader, setup)
  }

  func carryOut(_ command: LogCommand, _ stages: CommandProgress) async -> CommandOutcome {
    guard let source = context.driver.logs else {
      return .failed(CommandFailure(.unsupported, "this board has no logging module"))
    }
    log.isWatched = true
    do throws(ProtocolFailure) {
      switch command {
      case .start(let requests, let isCircular, let adjusted):
        return try await start(requests, isCircular: isCircular, adjusted)
      case .stop(let names): return try await stop(names, source)
      case .removeLoggers(let slots): return try await removeLoggers(slots)
      case .download(let resume, let clear):
        let end = await downloader.download(DownloadOrder(resume: resume, clear: clear), stages: stages)
        return context.end == nil ? LogReplies.outcome(of: end) : context.linkOutcome
      case .status: return try await replyStatus(source)
      case .clear(let discard): return try await clear(discarding: discard, source)
      }
    } catch {
      log.giveUp(error)
      return context.end == nil
        ? .failed(CommandFailure(.boardError, "\(error)")) : context.linkOutcome
    }
  }

  private func start(
    _ requests: [StreamRequest], isCircular: Bool?, _ adjusted: [String]
  ) async throws(ProtocolFailure) -> CommandOutcome {
    let before = context.orders.logs
    for request in requests {
      let conflicts = context.orders.wanted.streams.values.compactMap { $0.conflict(with: request) }
      if let failure = conflicts.first { return .failed(failure) }
    }
    for request in requests { context.orders.logs.wanted[request.name] = request }
    context.orders.logs.isCircular = isCircular ?? before.isCircular
    guard let plan = try await log.readStatus() else { return context.linkOutcome }
    let names = requests.map(\.name)
    if let refusal = LogReplies.refusal(of: names, plan) {
      context.orders.logs = before
      return .failed(refusal)
    }
    let streams = setup.streams
    streams.chainSources.refusedLogs = streams.chainSources.refusedLogs.filter { !names.contains($0.key) }
    streams.isProgramApplied = true
    await streams.apply()
    // What cannot run is known before any logger is made.
    if context.end == nil, streams.chainSources.refuses(names) == nil { await setup.program.apply() }
    guard context.end == nil else { return context.linkOutcome }
    if let failure = streams.chainSources.refuses(names) {
      // Nothing half-configured is left (fault F41).
      (context.orders.logs.wanted, context.orders.logs.isCircular) = (before.wanted, before.isCircular)
      context.orders.logs.made = before.made
      await configureLoggers()
      return .failed(failure)
    }
    await reconciler.reconcile()
    guard context.end == nil, let status = log.status else { return context.linkOutcome }
    guard status.isLogging, let run = log.run else {
      return .failed(
        CommandFailure(.boardError, plan.isFull ? "the log is full; download it" : "the board is not logging")
      )
    }
    return .done(
      evidence: .readback,
      data: LogReplies.started(
        log.logged.filter { names.contains($0.name) }, all: context.orders.logs.wanted, of: run, status,
        adjusted))
  }

  private func stop(
    _ names: [String]?, _ source: any LogSource
  ) async throws(ProtocolFailure) -> CommandOutcome {
    if let names {
      for name in names { context.orders.logs.wanted[name] = nil }
    } else {
      context.orders.logs.wanted = [:]
    }
    if context.orders.logs.wanted.isEmpty { try await reconciler.stop(source) }
    try await log.readStatus()
    // Loggers without entries go at once, others after the next download.
    await configureLoggers()
    guard context.end == nil, let plan = log.plan else { return context.linkOutcome }
    return Self.loggingReply(plan)
  }

  /// Brings the board to the loggers that are wanted by now, and their sensors.
  private func configureLoggers() async {
    await setup.streams.apply()
    if context.end == nil { await setup.program.apply() }
  }

  /// Of others; ours go by the names of their streams.
  private func removeLoggers(_ slots: [UInt8]) async throws(ProtocolFailure) -> CommandOutcome {
    for slot in slots {
      let outcome = await context.driver.perform(.program(.removeLogger(slot: slot)))
      guard case .done = outcome else { return outcome }
    }
    guard let plan = try await log.readStatus() else { return context.linkOutcome }
    return Self.loggingReply(plan)
  }

  private static func loggingReply(_ plan: LogPlan) -> CommandOutcome {
    .done(
      evidence: .readback,
      data: ["logging": .bool(plan.status.isLogging), "entries": .integer(Int64(plan.entries))])
  }

  private func replyStatus(_ source: any LogSource) async throws(ProtocolFailure) -> CommandOutcome {
    guard let plan = try await log.readStatus() else { return context.linkOutcome }
    let streams = try await source.streams(anew: false)
    return .done(evidence: .response, data: LogReplies.status(plan, streams))
  }

  private func clear(
    discarding discard: Int64?, _ source: any LogSource
  ) async throws(ProtocolFailure) -> CommandOutcome {
    guard var plan = try await log.readStatus() else { return context.linkOutcome }
    let wasLogging = plan.status.isLogging
    if let refusal = LogReplies.refusal(of: discard, plan) { return .failed(refusal) }
    try await source.stop()
    plan = try await log.readStatus() ?? plan
    // What came in while we asked, or waited in memory for its page to be full, was not given up.
    if let refusal = LogReplies.refusal(of: discard, plan) {
      if wasLogging { try await source.start(overwriting: plan.status.isCircular) }
      try await log.readStatus()
      return .failed(refusal)
    }
    let dropped = plan.entries
    try await source.clear()
    log.take(try await source.status(), isCleared: true)
    let left = log.plan?.entries ?? 0
    if left == 0, let run = log.run {
      if plan.undownloaded > 0 {
        await losses.noteGap(in: run, since: run.started, until: context.now, because: "discarded")
      }
      try? await context.store.logs.noteCleared(run.id)
      log.run = nil
    }
    if context.end == nil { await setup.program.apply() }
    await reconciler.reconcile()
    let data: JSONObject = ["dropped": .integer(Int64(dropped)), "entries": .integer(Int64(left))]
    guard left == 0 else {
      return .failed(
        CommandFailure(.boardError, "the board still stores \(CountText.entries(left))", data: data))
    }
    return .done(evidence: .readback, data: data)
  }
}
