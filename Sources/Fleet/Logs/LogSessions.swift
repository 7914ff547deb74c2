import BoardKit
import FleetModel
import Storage

/// The runs of a board's log in the archive: each stands there before the board writes for it, or before its entries
/// come. Confined to its session.
final class LogSessions {
  private let context: SessionContext
  private let log: BoardLog
  private let losses: LogLosses

  init(_ context: SessionContext, log: BoardLog, losses: LogLosses) {
    (self.context, self.log, self.losses) = (context, log, losses)
  }

  /// The run is entered before the board writes for it: whatever happens then, its logger map is known. False where it
  /// cannot be, and where there is nothing to enter it for.
  func begin(_ plan: LogPlan) async -> Bool {
    do throws(StoreFailure) {
      switch plan.runStep(logging: log.logged) {
      case .goOn: return true
      case .map(let streams):
        guard let run = plan.run else { return false }
        try await context.store.logs.update(streams, of: run.id)
        log.run?.streams = streams
        return true
      case .begin:
        var run = newRun(log.logged, plan)
        (run.tick, run.recycledPages) = (plan.status.clock.clock.tick, plan.status.recycledPages)
        let earlier = try await context.store.logs.latestSession(of: context.board)
        try await context.store.logs.begin(run)
        log.run = run
        await losses.noteInterruption(since: earlier, run)
        return true
      case .nothing: return false
      }
    } catch {
      return false
    }
  }

  /// The run that the entries belong to: the one we know, or one for what nobody told us of (fault F40). What its map
  /// lacks is entered before its entries come.
  func adopt(_ plan: LogPlan, _ others: [LoggedStream]) async -> LogSession? {
    do throws(StoreFailure) {
      if var run = log.run {
        let known = Set(run.streams.flatMap(\.slots))
        let new = others.filter { known.isDisjoint(with: $0.slots) }
        guard !new.isEmpty else { return run }
        run.streams += new
        try await context.store.logs.update(run.streams, of: run.id)
        log.run = run
        return run
      }
      let run = newRun(log.logged + others, plan)
      try await context.store.logs.begin(run)
      log.run = run
      return run
    } catch {
      return nil
    }
  }

  private func newRun(_ streams: [LoggedStream], _ plan: LogPlan) -> LogSession {
    LogSession(
      id: context.makeID(), board: context.board, started: context.now, streams: streams,
      boot: context.orders.known.boots.count, resetID: plan.status.clock.clock.resetID)
  }

  /// Nothing of a run is left on the board. False where that cannot be written down: it stays open, and is looked at
  /// again.
  func end(_ run: LogSession) async -> Bool {
    do throws(StoreFailure) { try await context.store.logs.noteCleared(run.id) } catch { return false }
    log.run = nil
    return true
  }
}
