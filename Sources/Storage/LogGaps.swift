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
  /// Declares samples lost; the session's next batches tell it as `gap_before`.
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
}
