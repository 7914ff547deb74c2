package import FleetModel
internal import GRDB

/// By which time what is kept was last judged to be old. Events do not tell it: while a clock stands ahead, they are
/// recorded by it, and the next run would believe them (fault F265).
package struct RetentionMark: Sendable {
  let store: Store

  /// That time; nil where none was kept yet.
  package func time() async throws(StoreFailure) -> Timestamp? {
    try await store.read { database in
      try Int64.fetchOne(database, sql: "SELECT value FROM counter WHERE name = 'retention'").map(
        Timestamp.init(nanoseconds:))
    }
  }

  /// Keeps it for the next run. It is no more than a row that changes, so that a disk without room takes it.
  package func keep(_ time: Timestamp) async throws(StoreFailure) {
    try await store.write(frees: true) { database in
      try database.executeCached(
        sql: """
          INSERT INTO counter (name, value) VALUES ('retention', ?)
          ON CONFLICT (name) DO UPDATE SET value = excluded.value
          """, arguments: [time.nanoseconds])
    }
  }
}

extension Store {
  /// By which time what is kept was last judged to be old.
  package nonisolated var retentionMark: RetentionMark { RetentionMark(store: self) }
}
