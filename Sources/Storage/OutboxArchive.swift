package import FleetModel
internal import GRDB

// Delivered messages, kept because a broker may crash after it has acknowledged them (fault F67).
extension OutboxStore {
  /// Delivered messages made in `period`, oldest first, from the row after `last` on.
  package func delivered(
    madeIn period: Range<Timestamp>, after last: OutboxRow.ID = 0, limit: Int
  ) async throws(StoreFailure) -> [OutboxRow] {
    try await store.read { database in
      try OutboxTable.messages(
        Row.fetchCursor(
          database,
          sql: """
            SELECT \(OutboxQuery.columns) FROM outbox JOIN outbox_payload USING (id)
            WHERE state = 1 AND outbox.id > ? AND created_ns >= ? AND created_ns < ?
            ORDER BY outbox.id LIMIT ?
            """,
          arguments: [last, period.lowerBound.nanoseconds, period.upperBound.nanoseconds, limit]
        ))
    }
  }

  /// Deletes messages delivered before `limit`, and then the earliest delivered until the rest fits into
  /// `maximumSize` bytes. At most `batch` rows go at a time; returns how many, so call again while it is that many.
  package func purgeDelivered(
    before limit: Timestamp, maximumSize: Int, batch: Int = 1_000
  ) async throws(StoreFailure) -> Int {
    try await store.change(frees: true) { database, memory in
      var excess = memory.outbox.delivered.bytes - maximumSize
      let delete = try database.cachedStatement(sql: "DELETE FROM outbox WHERE id = ?")
      let rows = try Row.fetchAll(
        database.cachedStatement(sql: OutboxQuery.earliestDelivered),
        arguments: [batch])
      var purged = 0
      for row in rows {
        guard excess > 0 || row.time("settled_ns") < limit else { break }
        try delete.execute(arguments: [row["id"] as Int64])
        memory.outbox.remove(bytes: row["bytes"], from: .delivered)
        excess -= row["bytes"]
        purged += 1
      }
      return purged
    }
  }
}
