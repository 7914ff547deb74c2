package import FleetModel
internal import GRDB

/// A time in which a board did not log because it was read out.
package struct LogPause: Hashable, Sendable {
  /// Just before logging was stopped.
  package var since: Timestamp
  /// Just before it was started again; nil while it is not.
  package var until: Timestamp?
  /// Resets of the board as this fleet counted them.
  package var boot: Int

  package init(since: Timestamp, until: Timestamp? = nil, boot: Int) {
    (self.since, self.until, self.boot) = (since, until, boot)
  }
}

// Pauses outlive links and the gateway: a read-out that was cut off leaves the board without a log until somebody
// comes.
extension LogArchive {
  /// A board is about to stop logging; a pause that goes on already began earlier.
  package func beginPause(of board: BoardID, boot: Int, at time: Timestamp) async throws(StoreFailure) {
    try await store.write { database in
      try database.executeCached(
        sql: "INSERT OR IGNORE INTO log_pause (board, since_ns, boot) VALUES (?, ?, ?)",
        arguments: [board.description, time.nanoseconds, boot])
    }
  }

  /// It is about to start again.
  package func endPause(of board: BoardID, at time: Timestamp) async throws(StoreFailure) {
    try await store.write { database in
      try database.executeCached(
        sql: "UPDATE log_pause SET until_ns = ? WHERE board = ?",
        arguments: [time.nanoseconds, board.description])
    }
  }

  /// The pause of a board that was not declared yet.
  package func pause(of board: BoardID) async throws(StoreFailure) -> LogPause? {
    try await store.read { database in
      try Row.fetchOne(
        database.cachedStatement(sql: "SELECT since_ns, until_ns, boot FROM log_pause WHERE board = ?"),
        arguments: [board.description]
      ).map { row in
        LogPause(since: row.time("since_ns"), until: row.time(ifAny: "until_ns"), boot: row["boot"])
      }
    }
  }

  /// Declares what a pause cost, and forgets it, in one transaction.
  package func declarePause(of board: BoardID, _ gaps: [LogGap], in id: ULID) async throws(StoreFailure) {
    try await store.write { database in
      for gap in gaps { try LogTable.insert(gap, of: id, in: database) }
      try database.executeCached(
        sql: "DELETE FROM log_pause WHERE board = ?", arguments: [board.description])
    }
  }

  /// It was none, or is told otherwise.
  package func forgetPause(of board: BoardID) async throws(StoreFailure) {
    try await store.write { database in
      try database.executeCached(
        sql: "DELETE FROM log_pause WHERE board = ?", arguments: [board.description])
    }
  }
}
