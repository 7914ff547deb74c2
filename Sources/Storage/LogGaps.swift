package import FleetModel
internal import GRDB

/// Samples of a log that are known to be lost.
package struct LogGap: Hashable, Sendable, Identifiable {
  package var id: Int64
  /// The stream; nil for all of the session.
  package var stream: String?
  package var from: Timestamp?
  package var to: Timestamp?
  /// Samples of each stream; -1 when nobody knows how many.
  package var count: Int
  /// `board-reset`, `log-wrapped`, … (MQTT contract 5, `data-gap`).
  package var reason: String

  package init(id: Int64, stream: String?, from: Timestamp?, to: Timestamp?, count: Int, reason: String) {
    (self.id, self.stream, self.from, self.to) = (id, stream, from, to)
    (self.count, self.reason) = (count, reason)
  }
}

extension Store {
  /// Declares samples lost; an event tells it, and the session's next batches as `gap_before`.
  package func noteLogGap(
    of id: ULID, stream: String? = nil, from: Timestamp? = nil, to: Timestamp? = nil, count: Int,
    reason: String
  ) throws(StoreFailure) {
    try write { database in
      try database.executeCached(
        sql: """
          INSERT INTO log_gap (session, stream, from_ns, to_ns, count, reason)
          SELECT number, ?, ?, ?, ?, ? FROM log_session WHERE id = ?
          """,
        arguments: [stream, from?.nanoseconds, to?.nanoseconds, count, reason, id.description])
    }
  }

  /// A session's declared gaps behind the one numbered `last`.
  package func logGaps(of id: ULID, after last: Int64 = 0) throws(StoreFailure) -> [LogGap] {
    try read { try LogTable.gaps(of: id, after: last, in: $0) }
  }

  /// Declared gaps that no event tells yet, oldest first, and the sessions they are of.
  package func untoldLogGaps() throws(StoreFailure) -> [(session: ULID, gap: LogGap)] {
    try read { database in
      try Row.fetchAll(database.cachedStatement(sql: LogQuery.untoldGaps)).map { row in
        guard let session = ULID(row["session_id"] as String) else {
          throw StoreFailure.corrupt("log session \(row["session_id"] as String)")
        }
        return (session, LogTable.gap(row))
      }
    }
  }

  /// Takes the messages that tell of a gap to the outbox, and notes that they do, in one transaction.
  package func tell(_ messages: [OutboxMessage], of gap: LogGap.ID) throws(StoreFailure) {
    try changeOutbox { database, totals in
      _ = try OutboxTable.append(messages, to: database, &totals)
      try database.execute(sql: "UPDATE log_gap SET is_told = 1 WHERE id = ?", arguments: [gap])
    }
  }
}
