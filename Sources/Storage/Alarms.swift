package import FleetModel
internal import GRDB

/// An alarm that stood when it was last looked, and what must not be forgotten of it.
package struct KeptAlarm: Hashable, Sendable {
  /// As the contract writes it.
  package var id: String
  package var since: Timestamp
  package var sentence: String
  package var name: String?
  /// When somebody acknowledged it, and who.
  package var acknowledged: Timestamp?
  package var acknowledgedBy: String?

  package init(id: String, since: Timestamp, sentence: String) {
    (self.id, self.since, self.sentence) = (id, since, sentence)
  }
}

/// The alarms that stand.
package struct Alarms: Sendable {
  let store: Store

  /// All there are, in the order of their ids.
  package func all() async throws(StoreFailure) -> [KeptAlarm] {
    try await store.read { database in
      try Row.fetchAll(database, sql: "SELECT * FROM alarm ORDER BY id").map { row in
        var alarm = KeptAlarm(id: row["id"], since: row.time("since_ns"), sentence: row["sentence"])
        alarm.name = row["name"]
        alarm.acknowledged = row.time(ifAny: "acknowledged_ns")
        alarm.acknowledgedBy = row["acknowledged_by"]
        return alarm
      }
    }
  }

  /// Writes those that are new or say something else, and deletes those that are over, in one transaction.
  package func keep(_ alarms: [KeptAlarm], deleting ids: [String]) async throws(StoreFailure) {
    guard !alarms.isEmpty || !ids.isEmpty else { return }
    try await store.write(frees: alarms.isEmpty) { database in
      for id in ids { try database.executeCached(sql: "DELETE FROM alarm WHERE id = ?", arguments: [id]) }
      for alarm in alarms {
        try database.executeCached(
          sql: """
            INSERT OR REPLACE INTO alarm (id, since_ns, sentence, name, acknowledged_ns, acknowledged_by)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
          arguments: [
            alarm.id, alarm.since.nanoseconds, alarm.sentence, alarm.name, alarm.acknowledged?.nanoseconds,
            alarm.acknowledgedBy,
          ])
      }
    }
  }
}

extension Store {
  /// The alarms that stand.
  package nonisolated var alarms: Alarms { Alarms(store: self) }
}
