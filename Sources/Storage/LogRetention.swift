package import FleetModel
internal import GRDB

extension LogArchive {
  /// Bytes of raw entries.
  package func size() async throws(StoreFailure) -> Int { try await store.read { try Self.size(in: $0) } }

  private static func size(in database: Database) throws -> Int {
    try Int.fetchOne(database, sql: "SELECT coalesce(sum(bytes), 0) FROM log_session") ?? 0
  }

  /// Deletes raw entries of delivered sessions: those stored before `limit`, and then the oldest until the rest fits
  /// into `maximumSize` bytes. At most `batch` pieces go at a time; returns how many, so call again while it is any.
  ///
  /// Only what the board has no more, and the broker has for certain, goes: never what was not published, nor what a
  /// board may send again. What became of a session stays until none of its entries are left and it is as old.
  package func purge(
    before limit: Timestamp, maximumSize: Int, batch: Int = 1_000
  ) async throws(StoreFailure) -> Int {
    let unwanted = try await purgeUnwanted(batch: batch)
    guard unwanted == 0 else { return unwanted }
    let deleted = try await store.logDeletion.purgeDeleted(batch: batch)
    guard deleted == 0 else { return deleted }
    return try await store.write { database in
      var excess = try Self.size(in: database) - maximumSize
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
  package func forget(_ board: BoardID) async throws(StoreFailure) -> (entries: Int, undelivered: Int) {
    try await store.write { database in
      try database.execute(
        sql: "UPDATE log_session SET is_unwanted = 1 WHERE board = ? AND NOT \(LogQuery.isDeleted)",
        arguments: [board.description])
      var (entries, undelivered) = (0, 0)
      for session in try LogTable.sessions(of: board, since: nil, in: database) {
        entries += session.stored
        undelivered += try LogTable.undelivered(of: session.id, in: database)
      }
      if entries == 0 { try LogTable.forgetAnchors(of: board, in: database) }
      return (entries, undelivered)
    }
  }

  /// A board is back: what is left of its logs is kept again.
  package func keep(_ board: BoardID) async throws(StoreFailure) {
    try await store.write { database in
      try database.execute(
        sql: "UPDATE log_session SET is_unwanted = 0 WHERE is_unwanted = 1 AND board = ?",
        arguments: [board.description])
    }
  }

  /// Deletes what of one session is not to be kept, `batch` pieces at most; returns how many.
  private func purgeUnwanted(batch: Int) async throws(StoreFailure) -> Int {
    try await store.write { database in
      guard let row = try Row.fetchOne(database.cachedStatement(sql: LogQuery.unwantedSession)) else {
        return 0
      }
      let session = row["number"] as Int64
      try database.execute(sql: LogQuery.unwantedPieces, arguments: [session, batch])
      let pieces = database.changesCount
      guard pieces < batch else { return pieces }
      try database.execute(sql: "DELETE FROM log_session WHERE number = ?", arguments: [session])
      if let board = BoardID(row["board"] as String),
        try LogTable.sessions(of: board, since: nil, in: database).isEmpty
      {
        try LogTable.forgetAnchors(of: board, in: database)
      }
      return pieces + 1
    }
  }
}
