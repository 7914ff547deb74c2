internal import FleetModel
internal import FoundationEssentials
internal import GRDB

/// The outbox's statements, to be run inside a transaction of whoever writes more than the outbox.
enum OutboxTable {
  /// Takes messages, and what the history keeps of them.
  static func append(
    _ messages: [OutboxMessage], to database: Database, _ memory: inout StoreMemory
  ) throws -> [OutboxRow.ID] {
    let rows = try append(messages, to: database, &memory.outbox)
    try HistoryTable.append(messages.compactMap(\.history), to: database, limit: memory.historyRows)
    return rows
  }

  private static func append(
    _ messages: [OutboxMessage], to database: Database, _ totals: inout OutboxTotals
  ) throws -> [OutboxRow.ID] {
    let row = try database.cachedStatement(
      sql: """
        INSERT INTO outbox (class, topic, is_retained, qos, samples, bytes, created_ns,
          content_type, response_topic, correlation, expiry_s, user_properties)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    let payload = try database.cachedStatement(sql: "INSERT INTO outbox_payload (id, payload) VALUES (?, ?)")
    let ids = try messages.map { message in
      if message.isRetained { try replace(message, in: database, &totals) }
      let properties = message.message.properties
      try row.execute(arguments: [
        message.deliveryClass.rawValue, message.topic, message.isRetained,
        message.message.qualityOfService.rawValue,
        message.samples, message.size, message.created.nanoseconds, properties.contentType,
        properties.responseTopic, properties.correlationData.isEmpty ? nil : Data(properties.correlationData),
        properties.expiryInterval, StoredProperties.encode(properties.user).map { Data($0) },
      ])
      let id = database.lastInsertedRowID
      try payload.execute(arguments: [id, Data(message.payload)])
      totals.add(bytes: message.size, to: .waiting)
      return id
    }
    try OpenStreamTable.advance(messages.compactMap(\.continues), in: database)
    return ids
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
    return try messages(Row.fetchCursor(statement, arguments: [Self.list(onTheirWay), limit]))
  }

  /// A cursor's rows are looked at in place, so each becomes a message before the next is read.
  static func messages(_ cursor: RowCursor) throws -> [OutboxRow] { try Array(cursor.map(Self.row)) }

  /// Ids as a JSON array.
  private static func list(_ ids: some Sequence<OutboxRow.ID>) -> String {
    "[" + ids.map(String.init).joined(separator: ",") + "]"
  }

  private static func row(_ row: Row) throws -> OutboxRow {
    typealias Column = OutboxQuery.Column
    let number: Int = row[Column.priority.rawValue]
    guard let deliveryClass = DeliveryClass(rawValue: number) else {
      throw StoreFailure.corrupt("outbox class \(number)")
    }
    var message = MQTTMessage(
      topic: row[Column.topic.rawValue], payload: row.bytes(at: Column.payload.rawValue),
      qualityOfService: .init(rawValue: row[Column.qos.rawValue]) ?? .atLeastOnce,
      isRetained: row[Column.isRetained.rawValue])
    message.properties = try properties(row)
    return OutboxRow(
      id: row[Column.id.rawValue],
      message: OutboxMessage(
        message, as: deliveryClass, samples: row[Column.samples.rawValue],
        created: Timestamp(nanoseconds: row[Column.created.rawValue])))
  }

  /// Returns the samples delivered; rows that are not waiting count for nothing.
  static func deliver(
    _ ids: [OutboxRow.ID], at time: Timestamp, in database: Database, _ totals: inout OutboxTotals
  ) throws -> Int {
    let list = list(ids)
    var (samples, left) = (0, ids.count)
    var hasLogs = false
    let kept = try database.cachedStatement(sql: OutboxQuery.deliver)
    let rows = try Row.fetchCursor(kept, arguments: [time.nanoseconds, list])
    while let row = try rows.next() {
      totals.move(bytes: row[0], from: .waiting, to: .delivered)
      samples += row[1]
      hasLogs = hasLogs || row[2] == DeliveryClass.event.rawValue
      left -= 1
    }
    if hasLogs {
      let batches = try database.cachedStatement(sql: OutboxQuery.deliverLogs)
      try batches.execute(arguments: [time.nanoseconds, list])
    }
    guard left > 0 else { return samples }
    let gone = try database.cachedStatement(sql: OutboxQuery.deliverForGood)
    let others = try Row.fetchCursor(gone, arguments: [list])
    while let row = try others.next() {
      totals.remove(bytes: row[0], from: .waiting)
      samples += row[1]
    }
    return samples
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

  static func unpark(
    limit: Int, at now: Timestamp, in database: Database, _ totals: inout OutboxTotals
  ) throws -> Int {
    let sizes = try Int.fetchAll(
      database,
      sql: """
        UPDATE outbox SET state = 0, settled_ns = NULL, refusal = NULL WHERE id IN
          (SELECT id FROM outbox WHERE state = 2 ORDER BY settled_ns > ? DESC, settled_ns, id LIMIT ?)
        RETURNING bytes
        """, arguments: [now.nanoseconds, limit])
    for bytes in sizes { totals.move(bytes: bytes, from: .refused, to: .waiting) }
    return sizes.count
  }

  /// Within a class ids grow with time, so the oldest is the first of one of the classes.
  static func oldest(
    _ state: OutboxState, in database: Database
  ) throws -> (created: Timestamp, reason: String?)? {
    let statement = try database.cachedStatement(
      sql: state == .refused ? OutboxQuery.oldestRefused : OutboxQuery.oldestWaiting)
    let rows = try DeliveryClass.allCases.compactMap {
      try Row.fetchOne(statement, arguments: [$0.rawValue])
    }
    return rows.map { (created: $0.time("created_ns"), reason: $0["refusal"] as String?) }
      .min { $0.created < $1.created }
  }

  private static func waitingRow(_ id: OutboxRow.ID, in database: Database) throws -> Row? {
    let statement = try database.cachedStatement(
      sql: "SELECT class, is_retained, bytes, samples FROM outbox WHERE id = ? AND state = 0")
    return try Row.fetchOne(statement, arguments: [id])
  }

  private static func properties(_ row: Row) throws -> MQTTMessage.Properties {
    typealias Column = OutboxQuery.Column
    var properties = MQTTMessage.Properties()
    properties.contentType = row[Column.contentType.rawValue]
    properties.responseTopic = row[Column.responseTopic.rawValue]
    if !row.hasNull(atIndex: Column.correlation.rawValue) {
      properties.correlationData = row.bytes(at: Column.correlation.rawValue)
    }
    properties.expiryInterval = row[Column.expiry.rawValue]
    properties.user = try StoredProperties.decode(row.bytes(ifAny: Column.userProperties.rawValue))
    return properties
  }
}
