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
        INSERT INTO outbox (class, topic, is_retained, qos, samples, bytes, created_ns,
          content_type, response_topic, correlation, expiry_s, user_properties)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    let payload = try database.cachedStatement(sql: "INSERT INTO outbox_payload (id, payload) VALUES (?, ?)")
    return try messages.map { message in
      if message.isRetained { try replace(message, in: database, &totals) }
      let properties = message.properties
      try row.execute(arguments: [
        message.priority.rawValue, message.topic, message.isRetained, message.qualityOfService,
        message.samples, message.size, message.created.nanoseconds, properties.contentType,
        properties.responseTopic, properties.correlationData.isEmpty ? nil : Data(properties.correlationData),
        properties.expiryInterval, try encode(properties.user),
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
    let statement = try database.cachedStatement(sql: OutboxQuery.waiting)
    let excluded = "[" + onTheirWay.map(String.init).joined(separator: ",") + "]"
    return try Row.fetchAll(statement, arguments: [excluded, limit]).map(Self.row)
  }

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

  static func unpark(limit: Int, in database: Database, _ totals: inout OutboxTotals) throws {
    let sizes = try Int.fetchAll(
      database,
      sql: """
        UPDATE outbox SET state = 0, settled_ns = NULL, refusal = NULL WHERE id IN
          (SELECT id FROM outbox WHERE state = 2 ORDER BY class, id LIMIT ?) RETURNING bytes
        """, arguments: [limit])
    for bytes in sizes { totals.move(bytes: bytes, from: .refused, to: .waiting) }
  }

  /// Within a priority ids grow with time, so the oldest is the first of one of the priorities.
  static func oldestWaiting(in database: Database) throws -> Timestamp? {
    let statement = try database.cachedStatement(
      sql: OutboxQuery.oldestWaiting)
    return try OutboxMessage.Priority.allCases
      .compactMap { try Int64.fetchOne(statement, arguments: [$0.rawValue]) }
      .min().map { Timestamp(nanoseconds: $0) }
  }

  private static func waitingRow(_ id: OutboxRow.ID, in database: Database) throws -> Row? {
    let statement = try database.cachedStatement(
      sql: "SELECT class, is_retained, bytes, samples FROM outbox WHERE id = ? AND state = 0")
    return try Row.fetchOne(statement, arguments: [id])
  }

  private static func encode(_ user: [OutboxMessage.Properties.UserProperty]) throws -> Data? {
    user.isEmpty ? nil : try JSONEncoder().encode(user)
  }

  private static func properties(_ row: Row) throws -> OutboxMessage.Properties {
    var properties = OutboxMessage.Properties()
    properties.contentType = row["content_type"]
    properties.responseTopic = row["response_topic"]
    properties.correlationData = row.bytes(ifAny: "correlation") ?? []
    properties.expiryInterval = row["expiry_s"]
    if let user = row["user_properties"] as Data? {
      properties.user = try JSONDecoder().decode([OutboxMessage.Properties.UserProperty].self, from: user)
    }
    return properties
  }
}
