import BoardKit
import FleetModel
import Storage

/// Loggers that nobody of us made: told before anything is done about what they wrote (fault F113).
extension BoardSession {
  /// Looks for them at the first contact with a board, or `anew`, and tells of those that were not told yet.
  func meetOthersLoggers(anew: Bool = false) async {
    guard end == nil, let source = driver.logs, anew || orders.logs.foreign == nil else { return }
    do throws(ProtocolFailure) { try await othersStreams(source) } catch { giveUpLog(error) }
  }

  /// What their loggers write down, as the board tells it now.
  @discardableResult
  func othersStreams(_ source: any LogSource) async throws(ProtocolFailure) -> [LoggedStream] {
    let others = try await source.streams(anew: true).filter { !$0.isOurs }
    let slots = Set(others.flatMap(\.slots))
    let untold = slots.subtracting(orders.logs.foreign ?? [])
    if !untold.isEmpty {
      let entries = if let status = log.status { status.entries } else { try await source.status().entries }
      tell(
        .unknownLogger, "found",
        [
          "slots": .array(untold.sorted().map { .integer(Int64($0)) }), "entries": .integer(Int64(entries)),
        ])
    }
    if slots != orders.logs.foreign {
      orders.logs.foreign = slots
      intake.note(.othersLoggers(slots))
    }
    return others
  }

  /// Whether only others' loggers wrote what the board holds, and nobody said that a visit may take it.
  var isLogLeftAlone: Bool {
    orders.logs.foreign?.isEmpty == false && log.run == nil && log.logged.isEmpty && !orders.logs.takesForeign
  }

  /// The run that the entries belong to: the one we know, or one for what nobody told us of (fault F40). What its map lacks
  /// is entered before its entries come.
  func run(for duty: LogDuty, _ others: [LoggedStream]) async -> LogSession? {
    do throws(StoreFailure) {
      if var run = log.run {
        let known = Set(run.streams.flatMap(\.slots))
        let new = others.filter { known.isDisjoint(with: $0.slots) }
        guard !new.isEmpty else { return run }
        run.streams += new
        try await environment.store.update(run.streams, of: run.id)
        log.run = run
        return run
      }
      let run = LogSession(
        id: ULID(at: now, using: &random), board: board, started: now, streams: log.logged + others,
        boot: orders.boots.count, resetID: duty.status.clock.clock.resetID)
      try await environment.store.begin(run)
      log.run = run
      return run
    } catch {
      return nil
    }
  }
}
