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
  /// What a read-out had to do with it, where it had.
  package var cause: Cause?
  /// Number of the session's first entry behind it; nil: whatever is published next.
  package var position: Int?

  /// Why samples are missing for the reason `download`.
  package enum Cause: String, Sendable, CaseIterable {
    /// The board did not log while it was read out.
    case pause
    /// The board counted them, and did not hand them out.
    case lost
  }

  package init(
    id: Int64, stream: String?, from: Timestamp?, to: Timestamp?, count: Int, reason: String,
    cause: Cause? = nil, position: Int? = nil
  ) {
    (self.id, self.stream, self.from, self.to) = (id, stream, from, to)
    (self.count, self.reason, self.cause, self.position) = (count, reason, cause, position)
  }
}

extension LogArchive {
  /// Declares samples lost; an event tells it, and the session's next batches as `gap_before`.
  package func noteGap(
    of id: ULID, stream: String? = nil, from: Timestamp? = nil, to: Timestamp? = nil, count: Int,
    reason: String, cause: LogGap.Cause? = nil
  ) async throws(StoreFailure) {
    let gap = LogGap(
      id: 0, stream: stream, from: from, to: to, count: count, reason: reason, cause: cause)
    try await store.write { try LogTable.insert(gap, of: id, in: $0) }
  }

  /// A session's declared gaps behind the one numbered `last`.
  package func gaps(of id: ULID, after last: Int64 = 0) async throws(StoreFailure) -> [LogGap] {
    try await store.read { try LogTable.gaps(of: id, after: last, in: $0) }
  }
}
