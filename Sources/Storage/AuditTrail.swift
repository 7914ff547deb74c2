package import FleetModel
internal import GRDB

/// Who asked for what, when, and what came of it.
package struct AuditTrail: Sendable {
  let store: Store

  /// How long the audit trail remembers.
  package static let memory: Duration = .seconds(30 * 86_400)
  /// Refused and accepted requests it remembers at most, the latest. Refusals have a bound of their own, so that a
  /// flood of them wipes out no trace of what was done.
  package static let (refusals, commands) = (10_000, 100_000)

  /// Records a request that was refused before acceptance; what was accepted is noted by the ledger.
  package func note(refusal: AuditEntry, topic: String) async throws(StoreFailure) {
    try await store.write { try AuditTable.enter(refusal, topic: topic, in: $0) }
  }

  /// The latest `limit` requests that arrived at `since` or later, oldest first: of all, or to one board.
  package func entries(since: Timestamp? = nil, board: BoardID? = nil, limit: Int)
    async throws(StoreFailure) -> [AuditEntry]
  {
    try await store.read {
      try AuditTable.trail(since: since, target: board.map { .board($0) }, limit: limit, in: $0)
    }
  }
}

extension Store {
  /// Who asked for what.
  package nonisolated var audit: AuditTrail { AuditTrail(store: self) }
}

extension ArchiveReader {
  /// As `AuditTrail.entries`. Empty for a database of a version without a trail.
  package func auditTrail(since: Timestamp? = nil, board: BoardID? = nil, limit: Int)
    throws(StoreFailure) -> [AuditEntry]
  {
    try read {
      guard try $0.tableExists("audit") else { return [] }
      return try AuditTable.trail(since: since, target: board.map { .board($0) }, limit: limit, in: $0)
    }
  }
}
