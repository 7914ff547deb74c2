package import FleetModel
internal import GRDB

// Readings of boards' clocks: where the runs of their logs lie in our time.
extension LogArchive {
  /// Keeps a reading.
  package func add(_ anchor: ClockAnchor, of board: BoardID) async throws(StoreFailure) {
    try await store.write { database in
      try database.executeCached(
        sql: """
          INSERT INTO clock_anchor (board, reset_id, tick, time_ns, error_ns, boot, is_host_time_known, uptime_ns)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          board.description, anchor.reading.clock.resetID, anchor.reading.clock.tick,
          anchor.reading.time.nanoseconds, anchor.reading.error.wholeNanoseconds, anchor.boot,
          anchor.isHostTimeKnown, anchor.reading.uptime?.wholeNanoseconds,
        ])
    }
  }

  /// A board's readings in the order in which they were taken, which the host's clock need not tell.
  package func clockAnchors(of board: BoardID) async throws(StoreFailure) -> [ClockAnchor] {
    try await store.read { try LogTable.anchors(of: board, in: $0) }
  }

  /// The first and the last of each run, and of those whose time is known: what a look at the whole crystal takes,
  /// however many months of readings there are.
  package func clockAnchorsAtEnds(of board: BoardID) async throws(StoreFailure) -> [ClockAnchor] {
    try await store.read { try LogTable.anchors(of: board, LogQuery.anchorsAtEnds, in: $0) }
  }
}
