internal import GRDB

/// The numbers of connections to the broker.
package struct Births: Sendable {
  let store: Store

  /// The number of the next connection to the broker, one more than the last; on the disk when it is returned,
  /// so that no will and no birth message ever carry an old one (MQTT API, section 4).
  package func next() async throws(StoreFailure) -> Int {
    try await store.write { database in
      let number = try Int.fetchOne(
        database,
        sql: """
          INSERT INTO counter (name, value) VALUES ('birth', 1)
          ON CONFLICT (name) DO UPDATE SET value = value + 1 RETURNING value
          """)
      guard let number else { throw StoreFailure.misuse("no birth number") }
      return number
    }
  }

  /// A number was used that could not be taken from here: the next ones are higher.
  package func keep(_ birth: Int) async throws(StoreFailure) {
    try await store.write { database in
      try database.executeCached(
        sql: """
          INSERT INTO counter (name, value) VALUES ('birth', ?)
          ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)
          """, arguments: [birth])
    }
  }
}

extension Store {
  /// The numbers of connections to the broker.
  package nonisolated var births: Births { Births(store: self) }
}
