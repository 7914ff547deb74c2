import FleetModel
internal import GRDB

extension OutboxStore {
  /// What each retained topic of ours should hold: the hash of the last message taken for it. Cleared topics are
  /// not listed. Compared with what the broker holds, it tells what to repair and what is an orphan.
  package func retainedTopics() async throws(StoreFailure) -> [String: UInt64] {
    try await store.read { database in
      let rows = try Row.fetchAll(database, sql: "SELECT topic, hash FROM retained")
      return Dictionary(uniqueKeysWithValues: rows.map { ($0["topic"], $0.hash("hash")) })
    }
  }
}

enum RetainedTopics {
  /// An empty payload clears a topic at the broker, and here.
  static func note(_ message: OutboxMessage, in database: Database) throws {
    if message.payload.isEmpty {
      let statement = try database.cachedStatement(sql: "DELETE FROM retained WHERE topic = ?")
      try statement.execute(arguments: [message.topic])
    } else {
      let statement = try database.cachedStatement(
        sql: "INSERT OR REPLACE INTO retained (topic, hash) VALUES (?, ?)")
      let hash = Int64(bitPattern: StableHash.of(message.payload))
      try statement.execute(arguments: [message.topic, hash])
    }
  }
}
