import BoardKit
import FleetModel
import Storage

/// What a board should have logged and did not: no loss is silent (invariant I12). Confined to its session.
final class LogLosses {
  private let context: SessionContext
  private let log: BoardLog

  init(_ context: SessionContext, log: BoardLog) { (self.context, self.log) = (context, log) }

  /// The oldest entries of a run gave way (fault F42).
  func noteWrap(_ run: LogSession) async {
    context.reportEvent(.logLevel, "wrapped", [:])
    await noteGap(in: run, since: run.started, because: "log-wrapped")
  }

  /// A run follows another one.
  func noteInterruption(since earlier: LogSession?, _ run: LogSession) async {
    let interruption = LogInterruption(
      since: earlier, before: run, lastRead: context.orders.logs.estimate?.time, overflow: log.overflow)
    if let interruption {
      await noteGap(in: run, since: interruption.from, until: context.now, because: interruption.reason)
    }
    log.overflow = nil
  }

  /// Declares that `count` samples are missing before those of `run` that come next; -1: nobody knows how many.
  func noteGap(
    in run: LogSession, since from: Timestamp, until to: Timestamp? = nil, count: Int = -1,
    because reason: String, _ cause: LogGap.Cause? = nil
  ) async {
    do throws(StoreFailure) {
      try await context.store.logs.noteGap(
        of: run.id, from: from, to: to, count: count, reason: reason, cause: cause)
      await context.report(.archiveGrew)
    } catch {
      // Nobody else will tell it.
      let gap = LogGap(id: 0, stream: nil, from: from, to: to, count: count, reason: reason, cause: cause)
      for fields in gap.eventFields(of: run) ?? [] { context.reportEvent(.dataGap, "log", fields) }
    }
  }
}

// What a board does not log while it is read out: each pause is a gap before what comes next (fault F150).
extension LogLosses {
  /// Just before the write that stops logging. An earlier pause that did not end goes on.
  func pauseBegins() async {
    try? await context.store.logs.beginPause(
      of: context.board, boot: context.orders.known.boots.count, at: context.now)
  }

  /// Just before the write that starts it again.
  func pauseEnds() async { try? await context.store.logs.endPause(of: context.board, at: context.now) }

  /// Nobody wants it to log any more.
  func forgetPause() async { try? await context.store.logs.forgetPause(of: context.board) }

  /// The board was seen to log: what it missed is declared, stream by stream. What a reset was part of is declared as
  /// that.
  func declarePause() async {
    guard let pause = try? await context.store.logs.pause(of: context.board) else { return }
    guard let run = log.run, let gaps = pause.gaps(in: run, boot: context.orders.known.boots.count) else {
      return await forgetPause()
    }
    guard (try? await context.store.logs.declarePause(of: context.board, gaps, in: run.id)) != nil else {
      return
    }
    await context.report(.archiveGrew)
  }
}
