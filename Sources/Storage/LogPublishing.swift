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
  package var reading: BoardTick?

  package init(position: Int, count: Int, entries: [UInt8], reading: BoardTick? = nil) {
    (self.position, self.count, self.entries, self.reading) = (position, count, entries, reading)
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

/// From the archive into the outbox, each entry once.
package struct LogPublishing: Sendable {
  let store: Store

  /// A session's pieces from a piece's first entry on, at most `limit`. Pieces never change.
  package func pieces(
    of id: ULID, from position: Int, limit: Int
  ) async throws(StoreFailure) -> [LogPiece] {
    try await store.read { try LogTable.pieces(of: id, from: position, limit: limit, in: $0) }
  }

  /// How far a session is published; nil when there is no such session.
  package func cursor(of id: ULID) async throws(StoreFailure) -> LogCursor? {
    try await store.read { database in
      try Row.fetchOne(
        database.cachedStatement(sql: "SELECT published, lane FROM log_session WHERE id = ?"),
        arguments: [id.description]
      ).map { LogCursor(position: $0["published"], lane: $0.bytes(ifAny: "lane") ?? []) }
    }
  }

  /// What publishing the board's session before this one left behind, as far as anything of one was published.
  package func earlierLane(of id: ULID) async throws(StoreFailure) -> [UInt8]? {
    try await store.read { try LogTable.earlierLane(of: id, in: $0) }
  }

  /// Sessions with entries that were not published, oldest first.
  package func unpublishedSessions() async throws(StoreFailure) -> [LogSession] {
    try await store.read { database in
      try Row.fetchAll(database.cachedStatement(sql: LogQuery.unpublished)).map(LogSession.init(row:))
    }
  }

  /// Whether a log is read out at the moment: what its session holds is not all there is.
  package func isReadingOut(_ id: ULID) async -> Bool { await store.memory.readOuts[id] != nil }

  /// Batches of logs that nobody has acknowledged.
  package func waitingBatches() async throws(StoreFailure) -> Int {
    try await store.read { try Int.fetchOne($0.cachedStatement(sql: LogQuery.waitingBatches)) ?? 0 }
  }

  /// Takes a session's next batches to the outbox and notes how far it is published, in one transaction: what is
  /// published once is never made again, whatever crashes. Of one that was deleted meanwhile nothing goes out any more.
  /// `samples` are what the batches say, for plots.
  package func publish(
    _ batches: [LogMessage], of id: ULID, upTo cursor: LogCursor, plotting samples: [SampleBatch] = []
  ) async throws(StoreFailure) {
    try await store.change { database, memory in
      guard let number = try LogTable.number(of: id, in: database) else {
        throw StoreFailure.misuse("no log session \(id)")
      }
      let isDeleted = "SELECT 1 FROM log_session WHERE number = ? AND \(LogQuery.isDeleted)"
      guard try Int.fetchOne(database.cachedStatement(sql: isDeleted), arguments: [number]) == nil else {
        return
      }
      let rows = try OutboxTable.append(batches.map(\.message), to: database, &memory)
      let note = try database.cachedStatement(
        sql: """
          INSERT INTO log_batch (message, session, stream, sequence, samples, gap_before) VALUES (?, ?, ?, ?, ?, ?)
          """)
      for (row, batch) in zip(rows, batches) {
        try note.execute(arguments: [
          row, number, batch.stream, batch.sequence, batch.message.samples, batch.gapBefore,
        ])
      }
      for batch in samples { try PlotTable.add(batch, in: database) }
      let advance = try database.cachedStatement(
        sql: "UPDATE log_session SET published = ?, lane = ? WHERE number = ?")
      try advance.execute(arguments: [cursor.position, Data(cursor.lane), number])
    }
  }

  /// Declared gaps that no event tells yet, oldest first, and the sessions they are of.
  package func unpublishedGaps() async throws(StoreFailure) -> [(session: ULID, gap: LogGap)] {
    try await store.read { database in
      try Row.fetchAll(database.cachedStatement(sql: LogQuery.unpublishedGaps)).map { row in
        guard let session = ULID(row["session_id"] as String) else {
          throw StoreFailure.corrupt("log session \(row["session_id"] as String)")
        }
        return (session, LogTable.gap(row))
      }
    }
  }

  /// Takes the messages that tell of a gap to the outbox, and notes that they do, in one transaction.
  package func publishGap(_ messages: [OutboxMessage], of gap: LogGap.ID) async throws(StoreFailure) {
    try await store.change { database, memory in
      _ = try OutboxTable.append(messages, to: database, &memory)
      try database.execute(sql: "UPDATE log_gap SET is_told = 1 WHERE id = ?", arguments: [gap])
    }
  }
}

extension Store {
  /// Boards' logs on their way from the archive into the outbox.
  package nonisolated var publishing: LogPublishing { LogPublishing(store: self) }
}
