internal import FleetModel
internal import FoundationEssentials
internal import GRDB

/// The outbox's statements, to be run inside a transaction of whoever writes more than the outbox.
enum OutboxTable {
  static func append(
    _ messages: [OutboxMessage], to database: Database, _ totals: inout OutboxTotals
  ) throws -> [OutboxRow.ID] {
    let row = try database.cachedStatement(
      sql: """
        INSERT INTO outbox (class, topic, is_retained, qos, samples, bytes, created_ns, properties)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """)
    let payload = try database.cachedStatement(sql: "INSERT INTO outbox_payload (id, payload) VALUES (?, ?)")
    return try messages.map { message in
      if message.isRetained { try replace(message, in: database, &totals) }
      try row.execute(arguments: [
        message.priority.rawValue, message.topic, message.isRetained, message.qualityOfService,
        message.samples, message.size, message.created.nanoseconds, try encode(message.properties),
      ])
      let id = database.lastInsertedRowID
      try payload.execute(arguments: [id, Data(message.payload)])
      totals.add(bytes: message.size, to: .waiting)
      return id
    }
  }

  /// Makes room for a retained message and notes what its topic will hold.
  private static func replace(
    _ message: OutboxMessage, in database: Database, _ totals: inout OutboxTotals
  ) throws {
    let old = try database.cachedStatement(
      sql: "DELETE FROM outbox WHERE topic = ? AND is_retained = 1 RETURNING state, bytes")
    for row in try Row.fetchAll(old, arguments: [message.topic]) {
      guard let state = OutboxState(rawValue: row["state"]) else { continue }
      totals.remove(bytes: row["bytes"], from: state)
    }
    try RetainedTopics.note(message, in: database)
  }

  static func waiting(
    limit: Int, excluding onTheirWay: Set<OutboxRow.ID>, in database: Database
  ) throws -> [OutboxRow] {
    let statement = try database.cachedStatement(sql: waitingQuery)
    let excluded = "[" + onTheirWay.map(String.init).joined(separator: ",") + "]"
    return try Row.fetchAll(statement, arguments: [excluded, limit]).map(Self.row)
  }

  /// What is on its way is skipped by its id alone, which the index holds; no row and no payload is read for it.
  static let waitingQuery = """
    SELECT * FROM outbox JOIN outbox_payload USING (id)
    WHERE state = 0 AND outbox.id NOT IN (SELECT value FROM json_each(?))
    ORDER BY class, outbox.id LIMIT ?
    """

  static func row(_ row: Row) throws -> OutboxRow {
    guard let priority = OutboxMessage.Priority(rawValue: row["class"]) else {
      throw StoreFailure.corrupt("outbox class \(row["class"] as Int)")
    }
    let message = OutboxMessage(
      priority, topic: row["topic"], payload: row.bytes("payload"), created: row.time("created_ns"),
      qualityOfService: row["qos"], isRetained: row["is_retained"], properties: try properties(row),
      samples: row["samples"])
    return OutboxRow(id: row["id"], message: message)
  }

  /// Returns the samples delivered with it; 0 for a row that is not waiting.
  static func deliver(
    _ id: OutboxRow.ID, at time: Timestamp, in database: Database, _ totals: inout OutboxTotals
  ) throws -> Int {
    guard let row = try waitingRow(id, in: database) else { return 0 }
    if row["is_retained"] || row["class"] == OutboxMessage.Priority.reply.rawValue {
      try database.cachedStatement(sql: "DELETE FROM outbox WHERE id = ?").execute(arguments: [id])
      totals.remove(bytes: row["bytes"], from: .waiting)
    } else {
      let statement = try database.cachedStatement(
        sql: "UPDATE outbox SET state = 1, settled_ns = ? WHERE id = ?")
      try statement.execute(arguments: [time.nanoseconds, id])
      totals.move(bytes: row["bytes"], from: .waiting, to: .delivered)
    }
    return row["samples"]
  }

  static func park(
    _ id: OutboxRow.ID, because reason: String, at time: Timestamp, in database: Database,
    _ totals: inout OutboxTotals
  ) throws {
    guard let row = try waitingRow(id, in: database) else { return }
    let statement = try database.cachedStatement(
      sql: "UPDATE outbox SET state = 2, settled_ns = ?, refusal = ? WHERE id = ?")
    try statement.execute(arguments: [time.nanoseconds, reason, id])
    totals.move(bytes: row["bytes"], from: .waiting, to: .refused)
  }

  static func unpark(in database: Database, _ totals: inout OutboxTotals) throws {
    let sizes = try Int.fetchAll(
      database,
      sql: "UPDATE outbox SET state = 0, settled_ns = NULL, refusal = NULL WHERE state = 2 RETURNING bytes")
    for bytes in sizes { totals.move(bytes: bytes, from: .refused, to: .waiting) }
  }

  /// Within a priority ids grow with time, so the oldest is the first of one of the priorities.
  static func oldestWaiting(in database: Database) throws -> Timestamp? {
    let statement = try database.cachedStatement(
      sql: "SELECT created_ns FROM outbox WHERE state = 0 AND class = ? ORDER BY id LIMIT 1")
    return try OutboxMessage.Priority.allCases
      .compactMap { try Int64.fetchOne(statement, arguments: [$0.rawValue]) }
      .min().map { Timestamp(nanoseconds: $0) }
  }

  private static func waitingRow(_ id: OutboxRow.ID, in database: Database) throws -> Row? {
    let statement = try database.cachedStatement(
      sql: "SELECT class, is_retained, bytes, samples FROM outbox WHERE id = ? AND state = 0")
    return try Row.fetchOne(statement, arguments: [id])
  }

  private static func encode(_ properties: OutboxMessage.Properties) throws -> Data? {
    properties == .init() ? nil : try JSONEncoder().encode(properties)
  }

  private static func properties(_ row: Row) throws -> OutboxMessage.Properties {
    guard let data = row["properties"] as Data? else { return .init() }
    return try JSONDecoder().decode(OutboxMessage.Properties.self, from: data)
  }
}
