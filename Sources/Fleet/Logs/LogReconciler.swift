import BoardKit
import FleetModel
import Storage

/// Keeping the board logging as it is wanted. Confined to its session.
final class LogReconciler {
  private let context: SessionContext
  private let log: BoardLog
  private let runs: LogSessions
  private let losses: LogLosses
  private let streams: StreamSetup

  init(_ context: SessionContext, log: BoardLog, runs: LogSessions, losses: LogLosses, streams: StreamSetup) {
    (self.context, self.log, self.runs, self.losses) = (context, log, runs, losses)
    self.streams = streams
  }

  /// Looks at the log before anything on the board is changed.
  func surveyLog() async throws(ProtocolFailure) {
    guard context.driver.logs != nil else { return }
    log.run = try? await context.store.logs.openSession(of: context.board)
    log.isWatched = context.orders.logs.isWatched || !context.orders.logs.wanted.isEmpty || log.run != nil
    guard log.isWatched, let plan = try await log.readStatus() else { return }
    if plan.status.isLogging { await losses.declarePause() }
    if let last = context.orders.logs.estimate {
      let changes = plan.foreignChanges(since: last)
      if !changes.isEmpty {
        context.reportEvent(.foreignChange, "changed", ["resources": .array(changes.map { .string($0) })])
      }
    }
  }

  /// Has the board log what is wanted, as far as it may.
  func reconcile() async {
    guard context.end == nil, let source = context.driver.logs, log.isWatched || !log.logged.isEmpty else {
      return
    }
    log.isWatched = true
    do throws(ProtocolFailure) {
      guard let plan = try await log.readStatus() else { return }
      if plan.isRunOver, let run = log.run { _ = await runs.end(run) }
      switch plan.step {
      case .startLogging:
        guard !log.logged.isEmpty, await runs.begin(plan) else { return }
        try await start(source)
        try await log.readStatus()
      case .stopLogging:
        try await stop(source)
        try await log.readStatus()
      case .nothing: if plan.status.isLogging, !plan.downloadsFirst { _ = await runs.begin(plan) }
      }
    } catch {
      log.giveUp(error)
    }
  }

  /// Has the board write down; whether it does is part of what is known of its setup (fault F106), and reported before
  /// anything is said of that.
  func start(_ source: any LogSource) async throws(ProtocolFailure) {
    await losses.pauseEnds()
    do throws(ProtocolFailure) {
      try await source.start(overwriting: context.orders.logs.isCircular)
    } catch {
      if case .unexpected(let what) = error {
        // What was seen of the log before comes first: that it logged then ends what is reported now.
        await context.flushReports()
        await context.report(.logStarted(CommandFailure(.boardError, what)))
      }
      throw error
    }
    await losses.declarePause()
    await context.report(.logStarted(nil))
  }

  /// Nobody wants it to log any more.
  func stop(_ source: any LogSource) async throws(ProtocolFailure) {
    try await source.stop()
    await losses.forgetPause()
  }

  /// Has the board log again behind a read-out: what is wanted, else what it did.
  func resume(_ source: any LogSource) async throws(ProtocolFailure) {
    guard let plan = log.plan, streams.isProgramApplied, !plan.isFull, !plan.wouldMix else { return }
    if !log.logged.isEmpty { guard await runs.begin(plan) else { return } }
    try await start(source)
  }

  /// Changes what the board should log; takes effect in its turn.
  func order(
    _ logs: [String: StreamRequest], isCircular: Bool, clear: VisitPolicy.Clear, takesForeign: Bool
  ) {
    let before = context.orders.logs
    (context.orders.logs.clear, context.orders.logs.takesForeign) = (clear, takesForeign)
    guard logs != before.wanted || isCircular != before.isCircular else { return }
    (context.orders.logs.wanted, context.orders.logs.isCircular) = (logs, isCircular)
    streams.chainSources.refusedLogs = [:]
    context.enqueue(.apply)
    context.enqueue(.program)
    context.enqueue(.log)
  }
}
