package import FleetModel
internal import FoundationEssentials
internal import GRDB

/// A rollout of firmware, so that whoever is killed meanwhile goes on.
package struct StoredRollout: Hashable, Sendable {
  package var id: String
  /// What it is to do, as JSON: written once.
  package var plan: [UInt8]
  /// What became of it so far, as JSON.
  package var state: [UInt8]
  package var began: Timestamp
  /// When it was written last.
  package var changed: Timestamp
  package var isOver: Bool

  package init(
    id: String, plan: [UInt8], state: [UInt8], began: Timestamp, changed: Timestamp, isOver: Bool
  ) {
    (self.id, self.plan, self.state) = (id, plan, state)
    (self.began, self.changed, self.isOver) = (began, changed, isOver)
  }
}

/// Rollouts of firmware: at most one that is not over, and the last ones that are.
package struct Rollouts: Sendable {
  let store: Store

  /// So many that are over are kept.
  package static let kept = 10

  /// All of them, the oldest first.
  package func all() async throws(StoreFailure) -> [StoredRollout] {
    try await store.read { database in
      try Row.fetchAll(database, sql: "SELECT * FROM rollout ORDER BY number").map { row in
        StoredRollout(
          id: row["id"], plan: row.bytes("plan"), state: row.bytes("state"), began: row.time("began_ns"),
          changed: row.time("changed_ns"), isOver: row["is_over"])
      }
    }
  }

  /// Enters a new one, before anything is done for it.
  package func begin(_ rollout: StoredRollout) async throws(StoreFailure) {
    try await store.write { database in
      try database.executeCached(
        sql: """
          INSERT INTO rollout (id, plan, state, began_ns, changed_ns, is_over) VALUES (?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          rollout.id, Data(rollout.plan), Data(rollout.state), rollout.began.nanoseconds,
          rollout.changed.nanoseconds, rollout.isOver,
        ])
    }
  }

  /// Writes what became of one. No board is begun before this returns.
  package func keep(
    _ state: [UInt8], of id: String, isOver: Bool, at now: Timestamp
  ) async throws(StoreFailure) {
    try await store.write { database in
      try database.executeCached(
        sql: "UPDATE rollout SET state = ?, changed_ns = ?, is_over = ? WHERE id = ?",
        arguments: [Data(state), now.nanoseconds, isOver, id])
    }
  }

  /// Forgets those that were over the longest. Returns which.
  package func trim() async throws(StoreFailure) -> [String] {
    try await store.write(frees: true) { database in
      let old = try String.fetchAll(
        database, sql: "SELECT id FROM rollout WHERE is_over = 1 ORDER BY number DESC LIMIT -1 OFFSET ?",
        arguments: [Self.kept])
      for id in old {
        try database.executeCached(sql: "DELETE FROM rollout WHERE id = ?", arguments: [id])
      }
      return old
    }
  }
}

extension Store {
  /// Rollouts of firmware.
  package nonisolated var rollouts: Rollouts { Rollouts(store: self) }
}
