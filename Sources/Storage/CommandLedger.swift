package import FleetModel
internal import FoundationEssentials
internal import GRDB

/// Every command that came, what it was answered, and what became of it.
package struct CommandLedger: Sendable {
  let store: Store

  /// How long an id is remembered at least (MQTT API, section 5).
  package static let memory: Duration = .seconds(24 * 3600)

  /// Looks the command up and, if it is new, enters it and takes `messages`, which say so, with it. One that
  /// ends at once is entered with its end: `entry.reply` is its one final answer then.
  package func begin(
    _ entry: CommandEntry, publishing messages: [OutboxMessage] = [], ended isEnded: Bool = false,
    auditing audit: AuditEntry? = nil
  ) async throws(StoreFailure) -> CommandPrecedent {
    try await store.change { database, memory in
      let known = try Row.fetchOne(
        database.cachedStatement(sql: "SELECT * FROM command WHERE topic = ? AND id = ?"),
        arguments: [entry.key.topic, entry.key.id])
      if let known {
        return known.hash("payload_hash") == entry.payloadHash ? answer(known) : .mismatch
      }
      try database.executeCached(
        sql: """
          INSERT INTO command (topic, id, is_anonymous, payload_hash, first_seen_ns, expires_ns, kept_until_ns,
            request, latest_reply, final_reply) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          entry.key.topic, entry.key.id, entry.isAnonymous, Int64(bitPattern: entry.payloadHash),
          entry.firstSeen.nanoseconds, entry.expires.nanoseconds, entry.keptUntil.nanoseconds,
          Data(entry.request), Data(entry.reply), isEnded ? Data(entry.reply) : nil,
        ])
      if let audit { try AuditTable.enter(audit, topic: entry.key.topic, in: database) }
      _ = try OutboxTable.append(messages, to: database, &memory)
      return .fresh
    }
  }

  /// What the ledger knows of a command, without entering it; nil when it was never seen.
  package func precedent(
    of key: CommandEntry.Key, payloadHash: UInt64
  ) async throws(StoreFailure) -> CommandPrecedent? {
    try await store.read { database in
      try Row.fetchOne(
        database.cachedStatement(sql: "SELECT * FROM command WHERE topic = ? AND id = ?"),
        arguments: [key.topic, key.id]
      ).map { $0.hash("payload_hash") == payloadHash ? answer($0) : .mismatch }
    }
  }

  /// The latest request without an id that came on `topic` with this payload at `since` or later. Only a broker's
  /// redelivery may be taken for a repeat by it, which the caller knows from the DUP flag.
  package func recentAnonymous(
    topic: String, payloadHash: UInt64, since: Timestamp
  ) async throws(StoreFailure) -> CommandPrecedent? {
    try await store.read { database in
      try Row.fetchOne(
        database,
        sql: CommandQuery.recentAnonymous,
        arguments: [topic, Int64(bitPattern: payloadHash), since.nanoseconds]
      ).map(answer)
    }
  }

  /// The answer of a stage on the way. Without effect once there is a final one.
  package func advance(
    _ key: CommandEntry.Key, reply: [UInt8], publishing messages: [OutboxMessage] = []
  ) async throws(StoreFailure) {
    _ = try await update(key, set: "latest_reply = ?", [Data(reply)], publishing: messages)
  }

  /// To be called before the first byte goes to the radio: after a crash the answer is then `unknown`.
  package func markSent(
    _ key: CommandEntry.Key, reply: [UInt8], publishing messages: [OutboxMessage] = []
  ) async throws(StoreFailure) {
    _ = try await update(key, set: "was_sent = 1, latest_reply = ?", [Data(reply)], publishing: messages)
  }

  /// The final answer, in the ledger and on its way out in one transaction. False, and nothing is published, when
  /// there is one already: each command has exactly one (invariant I7).
  package func finish(
    _ key: CommandEntry.Key, reply: [UInt8], publishing messages: [OutboxMessage],
    auditing end: AuditEntry.End? = nil
  ) async throws(StoreFailure) -> Bool {
    try await update(key, set: "final_reply = ?", [Data(reply)], publishing: messages, auditing: end)
  }

  /// What became of each of these commands: the final answer of those that have one, nil for those under way. Those
  /// that were never seen are left out.
  package func answers(to keys: [CommandEntry.Key]) async throws(StoreFailure) -> [CommandEntry.Key: [UInt8]?]
  {
    try await store.read { database in
      let statement = try database.cachedStatement(
        sql: "SELECT final_reply FROM command WHERE topic = ? AND id = ?")
      return try keys.reduce(into: [:]) { answers, key in
        guard let row = try Row.fetchOne(statement, arguments: [key.topic, key.id]) else { return }
        answers[key] = .some(row.bytes(ifAny: "final_reply"))
      }
    }
  }

  /// At start-up: what the last run left open, oldest first.
  package func unfinished() async throws(StoreFailure) -> [UnfinishedCommand] {
    try await store.read { database in
      try Row.fetchAll(
        database.cachedStatement(sql: CommandQuery.unfinished)
      ).map { row in
        let entry = CommandEntry(
          key: .init(topic: row["topic"], id: row["id"]), isAnonymous: row["is_anonymous"],
          payloadHash: row.hash("payload_hash"), firstSeen: row.time("first_seen_ns"),
          expires: row.time("expires_ns"), request: row.bytes("request"), reply: row.bytes("latest_reply"))
        return UnfinishedCommand(entry: entry, wasSent: row["was_sent"])
      }
    }
  }

  /// Forgets finished commands that are older than 24 h and past their expiry, and what of the audit trail is too much.
  /// Returns how many commands.
  @discardableResult
  package func purge(now: Timestamp) async throws(StoreFailure) -> Int {
    try await store.write { database in
      try database.executeCached(
        sql: CommandQuery.purge,
        arguments: [now.nanoseconds])
      let forgotten = database.changesCount
      try AuditTable.purge(now: now, in: database)
      return forgotten
    }
  }

  private func update(
    _ key: CommandEntry.Key, set assignments: String, _ values: StatementArguments,
    publishing messages: [OutboxMessage], auditing end: AuditEntry.End? = nil
  ) async throws(StoreFailure) -> Bool {
    try await store.change { database, memory in
      let statement = try database.cachedStatement(
        sql: "UPDATE command SET \(assignments) WHERE topic = ? AND id = ? AND final_reply IS NULL")
      try statement.execute(arguments: values + [key.topic, key.id])
      guard database.changesCount > 0 else { return false }
      if let end { try AuditTable.end(key, end, in: database) }
      _ = try OutboxTable.append(messages, to: database, &memory)
      return true
    }
  }
}

extension Store {
  /// Commands and their answers.
  package nonisolated var commands: CommandLedger { CommandLedger(store: self) }
}

/// The statements that rely on an index of their own.
enum CommandQuery {
  static let recentAnonymous = """
    SELECT * FROM command
    WHERE is_anonymous = 1 AND topic = ? AND payload_hash = ? AND first_seen_ns >= ?
    ORDER BY first_seen_ns DESC LIMIT 1
    """
  static let unfinished = "SELECT * FROM command WHERE final_reply IS NULL ORDER BY first_seen_ns"
  static let purge = "DELETE FROM command WHERE final_reply IS NOT NULL AND kept_until_ns < ?"
}

private func answer(_ row: Row) -> CommandPrecedent {
  row.bytes(ifAny: "final_reply").map { .finished($0) } ?? .running(row.bytes("latest_reply"))
}
