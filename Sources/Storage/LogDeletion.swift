package import FleetModel
internal import GRDB

/// A log session as whoever wants it deleted has to see it.
package struct DeletableLog: Hashable, Sendable {
  package var session: LogSession
  /// Samples of it that were published.
  package var samples: Int
  /// Entries that are not published, samples that nobody acknowledged, and losses that no event tells; 0: all of it is
  /// delivered.
  package var undelivered: Int
  /// Whether it is read out at the moment.
  package var isReadOut: Bool

  package init(session: LogSession, samples: Int = 0, undelivered: Int = 0, isReadOut: Bool = false) {
    (self.session, self.samples) = (session, samples)
    (self.undelivered, self.isReadOut) = (undelivered, isReadOut)
  }
}

/// Sessions that somebody has deleted. Their entries go; a row stays behind for as long as delivered logs are kept, by
/// which the board's next session goes on where this one ended. Nothing lists it any more.
package struct LogDeletion: Sendable {
  let store: Store

  /// All sessions, oldest first, with what speaks against deleting them.
  package func deletable() async throws(StoreFailure) -> [DeletableLog] {
    try await store.inspect { database, memory in
      try Row.fetchAll(database.cachedStatement(sql: LogQuery.deletable)).map { row in
        let session = try LogSession(row: row)
        return DeletableLog(
          session: session, samples: row["samples"], undelivered: row["undelivered"],
          isReadOut: memory.readOuts[session.id] != nil)
      }
    }
  }

  /// Deletes sessions in one transaction, and returns how many there were: none whose entries a board still has, since
  /// these would come again, and none that is not delivered unless `undelivered` allows that. What they take goes with
  /// the next purges.
  package func delete(_ sessions: [ULID], undelivered: Bool) async throws(StoreFailure) -> Int {
    try await store.change(frees: true) { database, memory in
      var count = 0
      for id in sessions where memory.readOuts[id] == nil {
        let mark = try database.cachedStatement(sql: LogQuery.markDeleted)
        guard let number = try Int64.fetchOne(mark, arguments: [id.description, undelivered]) else {
          continue
        }
        count += 1
        for table in ["log_gap", "log_batch"] {
          try database.executeCached(sql: "DELETE FROM \(table) WHERE session = ?", arguments: [number])
        }
      }
      return count
    }
  }

  /// Takes entries of deleted sessions away, `batch` pieces at most; returns how many.
  func purgeDeleted(batch: Int) async throws(StoreFailure) -> Int {
    try await store.write(frees: true) { database in
      try database.executeCached(sql: LogQuery.purgeDeleted, arguments: [batch])
      return database.changesCount
    }
  }
}
