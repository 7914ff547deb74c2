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
    let unwanted = try purgeUnwantedLogs(batch: batch)
    guard unwanted == 0 else { return unwanted }
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

  /// Keeps no longer what a board logged: what the broker has goes with the next purges, anything else once it has it.
  /// Returns how many entries there are, and of how many the broker does not have all.
  package func forgetLogs(of board: BoardID) throws(StoreFailure) -> (entries: Int, undelivered: Int) {
    try write { database in
      try database.execute(
        sql: "UPDATE log_session SET is_unwanted = 1 WHERE board = ?", arguments: [board.description])
    }
    var (entries, undelivered) = (0, 0)
    for session in try logSessions(of: board) {
      entries += session.stored
      undelivered += try undeliveredLogs(of: session.id)
    }
    if entries == 0 { try forgetAnchors(of: board) }
    return (entries, undelivered)
  }

  /// A board is back: what is left of its logs is kept again.
  package func keepLogs(of board: BoardID) throws(StoreFailure) {
    try write { database in
      try database.execute(
        sql: "UPDATE log_session SET is_unwanted = 0 WHERE is_unwanted = 1 AND board = ?",
        arguments: [board.description])
    }
  }

  /// Deletes what of one session is not to be kept, `batch` pieces at most; returns how many.
  private func purgeUnwantedLogs(batch: Int) throws(StoreFailure) -> Int {
    let (purged, finished) = try write { database -> (Int, BoardID?) in
      guard let row = try Row.fetchOne(database.cachedStatement(sql: LogQuery.unwantedSession)) else {
        return (0, nil)
      }
      let session = row["number"] as Int64
      try database.execute(sql: LogQuery.unwantedPieces, arguments: [session, batch])
      let pieces = database.changesCount
      guard pieces < batch else { return (pieces, nil) }
      try database.execute(sql: "DELETE FROM log_session WHERE number = ?", arguments: [session])
      return (pieces + 1, BoardID(row["board"] as String))
    }
    if let finished, try logSessions(of: finished).isEmpty { try forgetAnchors(of: finished) }
    return purged
  }

  private func forgetAnchors(of board: BoardID) throws(StoreFailure) {
    try write { database in
      try database.execute(sql: "DELETE FROM clock_anchor WHERE board = ?", arguments: [board.description])
    }
  }
}
