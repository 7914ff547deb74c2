package import FleetModel
internal import GRDB

/// Records of one topic that were dropped for want of room, to be published as a gap.
package struct DroppedRecords: Hashable, Sendable {
  package var topic: String
  package var messages: Int
  package var samples: Int
  /// When the first and the last of them were made.
  package var from: Timestamp
  package var to: Timestamp
}

extension OutboxStore {
  /// How many rows `enforceLimits` drops at a time.
  package static let mostDropped = 1_000

  /// Drops the oldest records until what is undelivered, refused ones included, fits into `maximumSize` bytes and
  /// no record is older than `oldest`. Nothing but records is ever dropped (MQTT contract 7.2).
  ///
  /// The loss is noted in the same transaction: no crash makes it silent. `event` turns what was noted, now or by
  /// earlier calls, into messages, which are taken in the same transaction; nil where nobody would hear them, so that
  /// they do not take the room of what was dropped. Rows on their way are left, since they may have arrived. At most
  /// about `limit` rows go at a time; call again while as many went.
  package func enforceLimits(
    maximumSize: Int, oldest: Timestamp, sparing onTheirWay: Set<OutboxRow.ID> = [], limit: Int = mostDropped,
    event: (@Sendable ([DroppedRecords]) -> [OutboxMessage])?
  ) async throws(StoreFailure) -> [DroppedRecords] {
    try await store.change { database, memory in
      var excess = memory.outbox.waiting.bytes + memory.outbox.refused.bytes - maximumSize
      var dropped: [String: DroppedRecords] = [:]
      let delete = try database.cachedStatement(sql: "DELETE FROM outbox WHERE id = ?")
      let rows = try Row.fetchAll(
        database.cachedStatement(sql: OutboxQuery.oldestRecords), arguments: [limit + onTheirWay.count])
      for row in rows {
        let created = row.time("created_ns")
        guard excess > 0 || created < oldest else { break }
        if onTheirWay.contains(row["id"]) { continue }
        guard let state = OutboxState(rawValue: row["state"]) else { continue }
        try delete.execute(arguments: [row["id"] as Int64])
        memory.outbox.remove(bytes: row["bytes"], from: state)
        excess -= row["bytes"]
        var records =
          dropped[row["topic"]]
          ?? DroppedRecords(topic: row["topic"], messages: 0, samples: 0, from: created, to: created)
        records.messages += 1
        records.samples += row["samples"]
        records.to = created
        dropped[records.topic] = records
      }
      let loss = dropped.values.sorted { $0.topic < $1.topic }
      for records in loss { try OutboxLossTable.note(records, in: database) }
      if let event, case let noted = try OutboxLossTable.take(from: database), !noted.isEmpty {
        _ = try OutboxTable.append(event(noted), to: database, &memory)
      }
      return loss
    }
  }
}
