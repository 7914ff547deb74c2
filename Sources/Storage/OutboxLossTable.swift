internal import FleetModel
internal import GRDB

/// What an outbox over its limits has dropped and no message says yet: one row a topic, so that an outage without end
/// costs no more room than a short one. To be run inside the transaction that drops, or that takes the messages.
enum OutboxLossTable {
  static func note(_ loss: DroppedRecords, in database: Database) throws {
    try database.executeCached(
      sql: """
        INSERT INTO outbox_loss (topic, messages, samples, from_ns, to_ns) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (topic) DO UPDATE SET
          messages = messages + excluded.messages, samples = samples + excluded.samples,
          from_ns = min(from_ns, excluded.from_ns), to_ns = max(to_ns, excluded.to_ns)
        """,
      arguments: [loss.topic, loss.messages, loss.samples, loss.from.nanoseconds, loss.to.nanoseconds])
  }

  /// Takes out all there is, by topic.
  static func take(from database: Database) throws -> [DroppedRecords] {
    let statement = try database.cachedStatement(sql: "SELECT * FROM outbox_loss ORDER BY topic")
    let losses = try Row.fetchAll(statement).map {
      DroppedRecords(
        topic: $0["topic"], messages: $0["messages"], samples: $0["samples"], from: $0.time("from_ns"),
        to: $0.time("to_ns"))
    }
    if !losses.isEmpty { try database.executeCached(sql: "DELETE FROM outbox_loss") }
    return losses
  }
}
