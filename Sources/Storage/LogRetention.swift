package import FleetModel
internal import GRDB

extension Store {
  /// Bytes of raw entries in the archive of logs.
  package func logArchiveSize() throws(StoreFailure) -> Int {
    try read { try Int.fetchOne($0, sql: "SELECT coalesce(sum(bytes), 0) FROM log_session") ?? 0 }
  }

  /// Deletes raw entries of delivered sessions: those stored before `limit`, and then the oldest until the rest fits into
  /// `maximumSize` bytes. At most `batch` pieces go at a time; returns how many, so call again while it is any.
  ///
  /// Only what the board has no more, and the broker has for certain, goes: never what was not published, nor what a board
  /// may send again. What became of a session stays until none of its entries are left and it is as old.
  package func purgeLogs(
    before limit: Timestamp, maximumSize: Int, batch: Int = 1_000
  ) throws(StoreFailure) -> Int {
    var excess = try logArchiveSize() - maximumSize
    return try write { database in
      let rows = try Row.fetchAll(
        database.cachedStatement(sql: LogQuery.purgeablePieces), arguments: [batch])
      let delete = try database.cachedStatement(sql: "DELETE FROM log_page WHERE id = ?")
      let shrink = try database.cachedStatement(
        sql: "UPDATE log_session SET bytes = bytes - ? WHERE number = ?")
      var purged = 0
      for row in rows {
        guard excess > 0 || row.time("stored_ns") < limit else { break }
        let bytes = row["bytes"] as Int
        try delete.execute(arguments: [row["id"] as Int64])
        try shrink.execute(arguments: [bytes, row["session"] as Int64])
        excess -= bytes
        purged += 1
      }
      try database.executeCached(sql: LogQuery.forgetSessions, arguments: [limit.nanoseconds])
      try database.executeCached(sql: LogQuery.forgetAnchors, arguments: [limit.nanoseconds])
      return purged
    }
  }
}
