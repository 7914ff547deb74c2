package import FleetModel
internal import FoundationEssentials
internal import GRDB

/// A piece of a session's archived entries.
package struct LogPiece: Hashable, Sendable {
  /// Number of its first entry within the session.
  package var position: Int
  package var count: Int
  /// Whole raw entries.
  package var entries: [UInt8]
  /// The board's clock as it was looked at before these came; nil where nobody looked.
  package var look: BoardTick?

  package init(position: Int, count: Int, entries: [UInt8], look: BoardTick? = nil) {
    (self.position, self.count, self.entries, self.look) = (position, count, entries, look)
  }
}

/// How far a session is published.
package struct LogCursor: Hashable, Sendable {
  /// Entries that were decoded and published.
  package var position: Int
  /// What the next ones need; the lane's own business. Empty before the first.
  package var lane: [UInt8]

  package init(position: Int = 0, lane: [UInt8] = []) { (self.position, self.lane) = (position, lane) }
}

/// A batch of a log on its way out.
package struct LogMessage: Hashable, Sendable {
  package var message: OutboxMessage
  package var stream: String
  /// Number of the first sample.
  package var sequence: Int
  package var gapBefore: Int

  package init(_ message: OutboxMessage, stream: String, sequence: Int, gapBefore: Int) {
    (self.message, self.stream, self.sequence, self.gapBefore) = (message, stream, sequence, gapBefore)
  }
}

// From the archive into the outbox, each entry once.
extension Store {
  /// A session's pieces from a piece's first entry on, at most `limit`. Pieces never change.
  package func logPieces(
    of id: ULID, from position: Int, limit: Int
  ) throws(StoreFailure) -> [LogPiece] {
    try read { try LogTable.pieces(of: id, from: position, limit: limit, in: $0) }
  }

  /// How far a session is published; nil when there is no such session.
  package func logCursor(of id: ULID) throws(StoreFailure) -> LogCursor? {
    try read { database in
      try Row.fetchOne(
        database.cachedStatement(sql: "SELECT published, lane FROM log_session WHERE id = ?"),
        arguments: [id.description]
      ).map { LogCursor(position: $0["published"], lane: $0.bytes(ifAny: "lane") ?? []) }
    }
  }

  /// What publishing the board's session before this one left behind, as far as anything of one was published.
  package func earlierLane(of id: ULID) throws(StoreFailure) -> [UInt8]? {
    try read { try LogTable.earlierLane(of: id, in: $0) }
  }

  /// Sessions with entries that were not published, oldest first.
  package func unpublishedLogSessions() throws(StoreFailure) -> [LogSession] {
    try read { database in
      try Row.fetchAll(database.cachedStatement(sql: LogQuery.unpublished)).map(LogSession.init(row:))
    }
  }

  /// Whether a log is read out at the moment: what its session holds is not all there is.
  package func isReadingOut(_ id: ULID) -> Bool { logReadOuts[id] != nil }

  /// Batches of logs that nobody has acknowledged.
  package func waitingLogBatches() throws(StoreFailure) -> Int {
    try read { try Int.fetchOne($0.cachedStatement(sql: LogQuery.waitingBatches)) ?? 0 }
  }

  /// Takes a session's next batches to the outbox and notes how far it is published, in one transaction: what is
  /// published once is never made again, whatever crashes.
  package func publish(
    _ batches: [LogMessage], of id: ULID, upTo cursor: LogCursor
  ) throws(StoreFailure) {
    try changeOutbox { database, totals in
      guard let number = try LogTable.number(of: id, in: database) else {
        throw StoreFailure.misuse("no log session \(id)")
      }
      let rows = try OutboxTable.append(batches.map(\.message), to: database, &totals)
      let note = try database.cachedStatement(
        sql: """
          INSERT INTO log_batch (message, session, stream, sequence, samples, gap_before) VALUES (?, ?, ?, ?, ?, ?)
          """)
      for (row, batch) in zip(rows, batches) {
        try note.execute(arguments: [
          row, number, batch.stream, batch.sequence, batch.message.samples, batch.gapBefore,
        ])
      }
      let advance = try database.cachedStatement(
        sql: "UPDATE log_session SET published = ?, lane = ? WHERE number = ?")
      try advance.execute(arguments: [cursor.position, Data(cursor.lane), number])
    }
  }

  /// What of a session the broker does not have for certain: entries that are not published and samples that nobody
  /// acknowledged. 0: all of it is delivered.
  package func undeliveredLogs(of id: ULID) throws(StoreFailure) -> Int {
    try read { database in
      guard let number = try LogTable.number(of: id, in: database) else { return 0 }
      let entries = try Int.fetchOne(
        database.cachedStatement(sql: "SELECT stored - published FROM log_session WHERE number = ?"),
        arguments: [number])
      let samples = try Int.fetchOne(
        database.cachedStatement(sql: LogQuery.undeliveredSamples), arguments: [number])
      return (entries ?? 0) + (samples ?? 0)
    }
  }
}
