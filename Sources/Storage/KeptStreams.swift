package import FleetModel
internal import GRDB

/// How much is kept of streams, and since when.
package struct KeptStatistics: Hashable, Sendable {
  package var amount: KeptAmount
  /// The time of the oldest sample; nil where none is kept.
  package var oldest: Timestamp?

  package init(amount: KeptAmount, oldest: Timestamp?) { (self.amount, self.oldest) = (amount, oldest) }
}

/// What was deleted of kept streams.
package struct KeptPurge: Hashable, Sendable {
  /// Rows that went; 0: there is nothing left to delete.
  package var rows = 0
  /// Samples that went although they are young enough to stay.
  package var samplesTooYoung = 0
}

/// Streamed samples that are kept for exports: a copy, beside what goes to the broker.
package struct KeptStreams: Sendable {
  let store: Store

  /// Sessions of which something is kept, oldest first; of one board, if given.
  package func streams(of board: BoardID? = nil) async throws(StoreFailure) -> [KeptStream] {
    try await store.read { try KeptTable.streams(of: board, in: $0) }
  }

  /// Cheap enough for every second.
  package func statistics() async throws(StoreFailure) -> KeptStatistics {
    try await store.inspect { database, memory in
      KeptStatistics(amount: memory.kept, oldest: try KeptTable.oldest(in: database))
    }
  }

  /// Deletes what is left of deleted sessions, what ended before `limit`, and then the oldest until the rest fits into
  /// `maximumSize` bytes. What was taken while the clock was not set is as old as what was taken next with it. At most
  /// `batch` rows go at a time, so call again while any does.
  package func purge(
    before limit: Timestamp, maximumSize: Int, batch: Int = 200
  ) async throws(StoreFailure) -> KeptPurge {
    try await store.change(frees: true) { database, memory in
      let delete = try database.cachedStatement(sql: "DELETE FROM kept_samples WHERE id = ?")
      let deleted = try Row.fetchAll(
        database.cachedStatement(sql: KeptQuery.deleted), arguments: [batch])
      let rows =
        deleted.isEmpty
        ? try Row.fetchAll(database.cachedStatement(sql: KeptQuery.first), arguments: [batch]) : deleted
      var purge = KeptPurge()
      var shortened: Set<Int64> = []
      for row in rows {
        let isTooYoung = try deleted.isEmpty && KeptTable.age(of: row, in: database) >= limit
        guard !isTooYoung || memory.kept.bytes > maximumSize else { break }
        try delete.execute(arguments: [row["id"] as Int64])
        let amount = KeptAmount(samples: row["samples"], bytes: row["bytes"])
        memory.kept = memory.kept - amount
        shortened.insert(row["session"])
        purge.rows += 1
        if isTooYoung { purge.samplesTooYoung += amount.samples }
      }
      for session in shortened { try KeptTable.shortenPlot(of: session, in: database) }
      if purge.rows > 0 { try database.executeCached(sql: KeptQuery.forget) }
      return purge
    }
  }

  /// Takes the names of sessions away, all or none: nobody finds them any more, and their samples go with the next
  /// purges. What comes of a session that still runs is kept anew. Returns how many there were.
  package func delete(_ sessions: [ULID]) async throws(StoreFailure) -> Int {
    try await store.write(frees: true) { database in
      let unname = try database.cachedStatement(sql: "UPDATE kept_stream SET id = NULL WHERE id = ?")
      return try sessions.reduce(0) { count, session in
        try unname.execute(arguments: [session.description])
        return count + database.changesCount
      }
    }
  }
}

extension Store {
  /// Streamed samples that are kept for exports.
  package nonisolated var kept: KeptStreams { KeptStreams(store: self) }
}

extension ArchiveReader {
  /// As `KeptStreams.streams`. Empty for a database of a version that kept none.
  package func keptStreams(of board: BoardID? = nil) throws(StoreFailure) -> [KeptStream] {
    try read { try $0.tableExists("kept_stream") ? KeptTable.streams(of: board, in: $0) : [] }
  }

  /// The kept samples of a session from the one numbered `sequence` on, as batches; at most `limit` of them, and only
  /// such with samples of the time from `since` until `until`.
  package func batches(
    of stream: KeptStream, from sequence: Int, since: Timestamp? = nil, until: Timestamp? = nil, limit: Int
  ) throws(StoreFailure) -> [SampleBatch] {
    try read {
      try KeptTable.batches(
        of: stream, from: sequence, since: since, until: until, limit: limit, in: $0)
    }
  }
}
