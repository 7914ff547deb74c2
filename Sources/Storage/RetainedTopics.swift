import FleetModel
internal import GRDB

extension OutboxStore {
  /// The retained topics on which something of ours should stand, in order. Cleared topics are not listed.
  package func retainedTopics() async throws(StoreFailure) -> [String] {
    try await store.read { database in
      try String.fetchAll(database, sql: "SELECT topic FROM retained ORDER BY topic")
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
