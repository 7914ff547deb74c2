internal import GRDB

extension Store {
  /// The number of the next connection to the broker, one more than the last; on the disk when it is returned,
  /// so that no will and no birth message ever carry an old one (MQTT API, section 4).
  package func nextBirth() throws(StoreFailure) -> Int {
    try write { database in
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
  package func keep(birth: Int) throws(StoreFailure) {
    try write { database in
      try database.executeCached(
        sql: """
          INSERT INTO counter (name, value) VALUES ('birth', ?)
          ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)
          """, arguments: [birth])
    }
  }
}
