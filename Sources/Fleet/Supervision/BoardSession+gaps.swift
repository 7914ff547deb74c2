import FleetModel
import Storage

/// What a board should have logged and did not: no loss is silent (invariant I12).
extension BoardSession {
  /// The oldest entries of a run gave way (fault F42).
  func noteWrap(_ run: LogSession) async {
    tell(.logLevel, "wrapped", [:])
    await noteGap(in: run, since: run.started, because: "log-wrapped")
  }

  /// A run follows another one. If the board was reset in between, what it had not written to its flash is lost, and it
  /// logged nothing until now (fault F39); if its log was full, what came was lost.
  func noteInterruption(since earlier: LogSession?, _ run: LogSession) async {
    if let earlier, earlier.boot != run.boot || earlier.resetID != run.resetID {
      let looked = orders.logs.estimate.map(\.time) ?? earlier.started
      await noteGap(in: run, since: max(looked, earlier.started), until: now, because: "board-reset")
    } else if let overflow = log.overflow {
      await noteGap(in: run, since: overflow, until: now, because: "overflow")
    }
    log.overflow = nil
  }

  /// Declares that `count` samples are missing before those of `run` that come next; -1: nobody knows how many.
  func noteGap(
    in run: LogSession, since from: Timestamp, until to: Timestamp? = nil, count: Int = -1,
    because reason: String, _ cause: LogGap.Cause? = nil
  ) async {
    do throws(StoreFailure) {
      try await environment.store.noteLogGap(
        of: run.id, from: from, to: to, count: count, reason: reason, cause: cause)
      await environment.report(.archiveGrew)
    } catch {
      // Nobody else will tell it.
      let gap = LogGap(id: 0, stream: nil, from: from, to: to, count: count, reason: reason, cause: cause)
      for fields in gap.told(of: run) ?? [] { tell(.dataGap, "log", fields) }
    }
  }
}
