internal import FleetModel
internal import FoundationEssentials
internal import GRDB

/// The audit trail's statements, to be run inside a transaction of whoever writes a command.
enum AuditTable {
  static func enter(_ entry: AuditEntry, topic: String, in database: Database) throws {
    let statement = try database.cachedStatement(
      sql: """
        INSERT INTO audit (time_ns, topic, request_id, target, verb, has_sender_id, arguments, sender,
          response_topic, is_refusal, stage, code, took_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    try statement.execute(arguments: [
      entry.time.nanoseconds, topic, entry.id, words(entry.target), entry.verb, entry.hasSenderID,
      Data(entry.arguments), StoredProperties.encode(entry.sender).map { Data($0) },
      entry.responseTopic, entry.isRefusal, entry.end?.stage, entry.end?.code,
      entry.end?.took.wholeMilliseconds,
    ])
  }

  static func end(_ key: CommandEntry.Key, _ end: AuditEntry.End, in database: Database) throws {
    let statement = try database.cachedStatement(sql: AuditQuery.end)
    try statement.execute(arguments: [
      end.stage, end.code, end.took.wholeMilliseconds, key.topic, key.id,
    ])
  }

  static func trail(since: Timestamp?, target: CommandTarget?, limit: Int, in database: Database) throws
    -> [AuditEntry]
  {
    var arguments: StatementArguments = [since?.nanoseconds ?? .min, limit]
    if let target { arguments += [words(target)] }
    let rows = try Row.fetchAll(
      database, sql: target == nil ? AuditQuery.trail : AuditQuery.trailOfTarget, arguments: arguments)
    return rows.reversed().compactMap(entry)
  }

  static func purge(now: Timestamp, in database: Database) throws {
    try database.executeCached(
      sql: AuditQuery.forgetOld, arguments: [(now - AuditTrail.memory).nanoseconds])
    try database.executeCached(sql: AuditQuery.forgetRefusals, arguments: [AuditTrail.refusals])
    try database.executeCached(sql: AuditQuery.forgetCommands, arguments: [AuditTrail.commands])
  }

  private static func entry(_ row: Row) -> AuditEntry? {
    guard let target = target(row["target"]) else { return nil }
    let sender = (try? StoredProperties.decode(row.bytes(ifAny: "sender"))) ?? []
    let end = (row["stage"] as String?).map {
      AuditEntry.End(stage: $0, code: row["code"], took: .milliseconds(row["took_ms"] as Int64? ?? 0))
    }
    return AuditEntry(
      time: row.time("time_ns"), target: target, verb: row["verb"], id: row["request_id"],
      hasSenderID: row["has_sender_id"], arguments: row.bytes("arguments"), sender: sender,
      responseTopic: row["response_topic"], isRefusal: row["is_refusal"], end: end)
  }

  /// As in topics: the kind, then the name, which holds no slash.
  private static func words(_ target: CommandTarget) -> String {
    switch target {
    case .board(let board): "board/\(board)"
    case .group(let name): "group/\(name)"
    case .gateway(let id): "gateway/\(id)"
    }
  }

  private static func target(_ words: String) -> CommandTarget? {
    let parts = words.split(separator: "/", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    switch parts[0] {
    case "board": return BoardID(parts[1]).map { .board($0) }
    case "group": return .group(String(parts[1]))
    case "gateway": return .gateway(String(parts[1]))
    default: return nil
    }
  }
}

/// The statements that rely on an index of their own.
enum AuditQuery {
  static let end = """
    UPDATE audit SET stage = ?, code = ?, took_ms = ? WHERE topic = ? AND request_id = ? AND stage IS NULL
    """
  static let trail = "SELECT * FROM audit WHERE time_ns >= ?1 ORDER BY id DESC LIMIT ?2"
  static let trailOfTarget = """
    SELECT * FROM audit WHERE target = ?3 AND time_ns >= ?1 ORDER BY id DESC LIMIT ?2
    """
  static let forgetOld = "DELETE FROM audit WHERE time_ns < ? AND stage IS NOT NULL"
  static let forgetRefusals = """
    DELETE FROM audit WHERE is_refusal = 1 AND id <=
      (SELECT id FROM audit WHERE is_refusal = 1 ORDER BY id DESC LIMIT 1 OFFSET ?)
    """
  static let forgetCommands = """
    DELETE FROM audit WHERE is_refusal = 0 AND stage IS NOT NULL AND id <=
      (SELECT id FROM audit WHERE is_refusal = 0 ORDER BY id DESC LIMIT 1 OFFSET ?)
    """
}
