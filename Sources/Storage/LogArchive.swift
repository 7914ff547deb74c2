package import FleetModel
internal import FoundationEssentials
internal import GRDB

/// What an append did. Together they are the entries that came.
package struct LogAppended: Hashable, Sendable {
  /// Entries that were stored.
  package var new: Int
  /// Entries that were stored already; negative where some of an earlier piece that were taken for such are stored now.
  package var repeated: Int
}

/// Boards' logs, raw, as they sent them: each entry once, in the board's order (invariants I1, I3, I16).
package struct LogArchive: Sendable {
  let store: Store

  /// Enters a run of a board's log.
  package func begin(_ session: LogSession) async throws(StoreFailure) {
    try await store.write { database in
      try database.executeCached(
        sql: """
          INSERT INTO log_session (id, board, started_ns, streams, boot, reset_id, tick, progress, expected,
            stored, recycled_pages) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)
          """,
        arguments: [
          session.id.description, session.board.description, session.started.nanoseconds,
          Data(StoredStream.encode(session.streams)), session.boot, session.resetID, session.tick,
          session.progress.rawValue,
          session.expected, session.recycledPages,
        ])
    }
  }

  /// Replaces the logger map. What was not published for want of one is published then.
  package func update(_ streams: [LoggedStream], of id: ULID) async throws(StoreFailure) {
    try await store.write { database in
      try database.executeCached(
        sql: "UPDATE log_session SET streams = ? WHERE id = ?",
        arguments: [Data(StoredStream.encode(streams)), id.description])
    }
  }

  /// Notes how many pages the board had recycled when a session began.
  package func update(recycledPages: Int, of id: ULID) async throws(StoreFailure) {
    try await store.write { database in
      try database.executeCached(
        sql: "UPDATE log_session SET recycled_pages = ? WHERE id = ?",
        arguments: [recycledPages, id.description])
    }
  }

  /// Sessions, newest last; of one board, and only those that began at `since` or later, if given.
  package func sessions(
    of board: BoardID? = nil, since: Timestamp? = nil
  ) async throws(StoreFailure) -> [LogSession] {
    try await store.read { try LogTable.sessions(of: board, since: since, in: $0) }
  }

  /// One session; nil when there is none of that name.
  package func session(_ id: ULID) async throws(StoreFailure) -> LogSession? {
    try await store.read { database in
      try Row.fetchOne(
        database.cachedStatement(sql: "SELECT * FROM log_session WHERE id = ?"), arguments: [id.description]
      ).map(LogSession.init(row:))
    }
  }

  /// The session of a board that began last, whatever became of it.
  package func latestSession(of board: BoardID) async throws(StoreFailure) -> LogSession? {
    try await store.read { database in
      try Row.fetchOne(
        database.cachedStatement(
          sql: "SELECT * FROM log_session WHERE board = ? ORDER BY number DESC LIMIT 1"),
        arguments: [board.description]
      ).map(LogSession.init(row:))
    }
  }

  /// The latest session whose entries are, or may be, on the board.
  package func openSession(of board: BoardID) async throws(StoreFailure) -> LogSession? {
    try await store.read { database in
      try Row.fetchOne(database.cachedStatement(sql: LogQuery.openSession), arguments: [board.description])
        .map(LogSession.init(row:))
    }
  }

  /// Before a read-out; `entries` is what the board counts. What comes may repeat what earlier read-outs stored.
  /// `again`, the bytes of an entry: the read-out before was in doubt about its last page, which comes anew in its
  /// place. `look` is the board's clock, at which nothing of what comes had not been written.
  package func beginReadOut(
    of id: ULID, expecting entries: Int, again entrySize: Int? = nil, reading: BoardTick? = nil
  ) async throws(StoreFailure) {
    try await store.change { database, memory in
      let earlier = memory.readOuts[id]
      if let entrySize, let earlier {
        try LogReadOutTable.dropIncompletePage(of: earlier, entrySize: entrySize, in: database)
      }
      let row = try Row.fetchOne(
        database,
        sql: """
          UPDATE log_session SET progress = 'reading', counted = ?, received = 0, expected = stored + ?
          WHERE id = ? RETURNING number, board
          """, arguments: [entries, entries, id.description])
      guard let row else { throw StoreFailure.misuse("no log session \(id)") }
      memory.readOuts[id] = OpenReadOut(
        session: row["number"], board: row["board"], reading: reading ?? earlier?.reading)
    }
  }

  /// Entries of a session that stay as they are: all but those of a page that is still coming in, and may come again.
  package func completeEntries(of id: ULID) async throws(StoreFailure) -> Int {
    try await store.inspect { database, memory in
      let stored = try Int.fetchOne(
        database.cachedStatement(sql: "SELECT stored FROM log_session WHERE id = ?"),
        arguments: [id.description])
      return (stored ?? 0) - (memory.readOuts[id]?.incomplete ?? 0)
    }
  }

  /// Keeps whole raw entries of `entrySize` bytes that came in one piece: one transaction, on the disk when it returns.
  /// `endsPage`: the board said that they end a page. Repeats of what is archived are recognised and not stored again.
  package func append(
    _ entries: [UInt8], endsPage: Bool, to id: ULID, entrySize: Int, at time: Timestamp
  ) async throws(StoreFailure) -> LogAppended {
    // The page stays on its board, unconfirmed, until there is room.
    if try await store.room.isLow { throw .low }
    return try await store.change { database, memory in
      guard let readOut = memory.readOuts[id], entrySize > 0, entries.count.isMultiple(of: entrySize) else {
        throw StoreFailure.misuse("entries of log session \(id) without a read-out, or not whole")
      }
      let count = entries.count / entrySize
      var table = LogReadOutTable(readOut, entrySize: entrySize, at: time, in: database)
      let new = try table.take(entries, endsPage: endsPage)
      let appended = LogAppended(new: new, repeated: count - new)
      let statement = try database.cachedStatement(
        sql: "UPDATE log_session SET received = received + ?, expected = expected - ? WHERE number = ?")
      try statement.execute(arguments: [count, appended.repeated, readOut.session])
      memory.readOuts[id] = table.readOut
      return appended
    }
  }

  /// After a read-out, however it ended. `isFinished`: the board said that nothing is left; `received`: entries that
  /// came. Decides whether the archive now has all that the board counted.
  package func endReadOut(
    of id: ULID, isFinished: Bool, received: Int
  ) async throws(StoreFailure) -> LogSession {
    await store.forgetReadOut(of: id)
    return try await store.write { database in
      let row = try Row.fetchOne(
        database.cachedStatement(sql: "SELECT * FROM log_session WHERE id = ?"), arguments: [id.description])
      guard let row else { throw StoreFailure.misuse("no log session \(id)") }
      var session = try LogSession(row: row)
      let isWhole = received == row["received"] as Int
      session.progress = .after(
        isFinished: isFinished, received: isWhole ? received : -1, counted: row["counted"] as Int? ?? 0)
      try database.executeCached(
        sql: "UPDATE log_session SET progress = ? WHERE id = ?",
        arguments: [session.progress.rawValue, id.description])
      return session
    }
  }

  /// Something of a session is erased on its board before the broker has it, although its profile asks for that.
  package func noteErasedBeforePublished(_ id: ULID) async throws(StoreFailure) {
    try await store.write { database in
      try database.executeCached(
        sql: "UPDATE log_session SET is_erased_before_published = 1 WHERE id = ?", arguments: [id.description]
      )
    }
  }

  /// The board holds nothing of this session, nor of earlier ones, any more: verified. What it tells from now on is
  /// new.
  package func noteCleared(_ id: ULID) async throws(StoreFailure) {
    await store.forgetReadOut(of: id)
    try await store.write { database in
      let row = try Row.fetchOne(
        database.cachedStatement(sql: "SELECT number, board FROM log_session WHERE id = ?"),
        arguments: [id.description])
      guard let row else { throw StoreFailure.misuse("no log session \(id)") }
      let (number, board) = (row["number"] as Int64, row["board"] as String)
      try database.executeCached(
        sql:
          "UPDATE log_session SET progress = 'cleared' WHERE board = ? AND number <= ? AND progress != 'cleared'",
        arguments: [board, number])
      try database.executeCached(
        sql: """
          DELETE FROM log_page_start WHERE board = ?1 AND page IN
            (SELECT page FROM log_page_start JOIN log_page ON log_page.id = page
             WHERE log_page_start.board = ?1 AND session <= ?2)
          """, arguments: [board, number])
    }
  }

  /// What of a session the broker does not have for certain: entries that are not published and samples that nobody
  /// acknowledged. 0: all of it is delivered.
  package func undelivered(of id: ULID) async throws(StoreFailure) -> Int {
    try await store.read { try LogTable.undelivered(of: id, in: $0) }
  }
}

extension Store {
  /// What boards have logged.
  package nonisolated var logs: LogArchive { LogArchive(store: self) }

  /// Their sessions, for whoever deletes some.
  package nonisolated var logDeletion: LogDeletion { LogDeletion(store: self) }
}

extension LogSession {
  /// Reads a row of the table `log_session`.
  init(row: Row) throws {
    guard let id = ULID(row["id"] as String), let board = BoardID(row["board"] as String),
      let progress = Progress(rawValue: row["progress"])
    else { throw StoreFailure.corrupt("log session \(row["id"] as String)") }
    self.init(
      id: id, board: board, started: row.time("started_ns"),
      streams: try StoredStream.decode(row.bytes("streams")),
      boot: row["boot"], resetID: row["reset_id"], tick: row["tick"], progress: progress,
      expected: row["expected"],
      stored: row["stored"], recycledPages: row["recycled_pages"])
    isErasedBeforePublished = row["is_erased_before_published"]
  }
}
