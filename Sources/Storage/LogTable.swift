internal import FleetModel
internal import GRDB

/// What is read from the archive of logs, by the daemon and by those who only look.
enum LogTable {
  static func number(of id: ULID, in database: Database) throws -> Int64? {
    let statement = try database.cachedStatement(sql: "SELECT number FROM log_session WHERE id = ?")
    return try Int64.fetchOne(statement, arguments: [id.description])
  }

  static func sessions(of board: BoardID?, since: Timestamp?, in database: Database) throws -> [LogSession] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM log_session WHERE (?1 IS NULL OR board = ?1) AND started_ns >= ?2 AND NOT \(LogQuery.isDeleted)
        ORDER BY number
        """,
      arguments: [board?.description, since?.nanoseconds ?? .min]
    ).map(LogSession.init(row:))
  }

  static func pieces(
    of id: ULID, from position: Int, limit: Int, in database: Database
  ) throws -> [LogPiece] {
    guard let number = try number(of: id, in: database) else { return [] }
    let statement = try database.cachedStatement(sql: LogQuery.pieces)
    return try Row.fetchAll(statement, arguments: [number, position, limit]).map {
      var reading: BoardTick?
      if let resetID = $0[3] as Int?, let tick = $0[4] as UInt32? {
        reading = BoardTick(resetID: resetID, tick: tick)
      }
      return LogPiece(position: $0[0], count: $0[1], entries: $0.bytes(at: 2), reading: reading)
    }
  }

  static func earlierLane(of id: ULID, in database: Database) throws -> [UInt8]? {
    let statement = try database.cachedStatement(sql: LogQuery.earlierLane)
    return try Row.fetchOne(statement, arguments: [id.description])?.bytes(ifAny: "lane")
  }

  static func gaps(of id: ULID, after last: Int64, in database: Database) throws -> [LogGap] {
    guard let number = try number(of: id, in: database) else { return [] }
    return try Row.fetchAll(
      database.cachedStatement(sql: "SELECT * FROM log_gap WHERE session = ? AND id > ? ORDER BY id"),
      arguments: [number, last]
    ).map(gap)
  }

  /// Reads a row of the table `log_gap`.
  static func gap(_ row: Row) -> LogGap {
    LogGap(
      id: row["id"], stream: row["stream"], from: row.time(ifAny: "from_ns"), to: row.time(ifAny: "to_ns"),
      count: row["count"], reason: row["reason"], cause: (row["cause"] as String?).flatMap(LogGap.Cause.init),
      position: row["position"])
  }

  static func insert(_ gap: LogGap, of id: ULID, in database: Database) throws {
    try database.executeCached(
      sql: """
        INSERT INTO log_gap (session, stream, from_ns, to_ns, count, reason, cause, position)
        SELECT number, ?, ?, ?, ?, ?, ?, ? FROM log_session WHERE id = ?
        """,
      arguments: [
        gap.stream, gap.from?.nanoseconds, gap.to?.nanoseconds, gap.count, gap.reason, gap.cause?.rawValue,
        gap.position, id.description,
      ])
  }

  /// Entries that are not published, and samples that nobody acknowledged.
  static func undelivered(of id: ULID, in database: Database) throws -> Int {
    guard let number = try number(of: id, in: database) else { return 0 }
    let entries = try Int.fetchOne(
      database.cachedStatement(sql: "SELECT stored - published FROM log_session WHERE number = ?"),
      arguments: [number])
    let samples = try Int.fetchOne(
      database.cachedStatement(sql: LogQuery.undeliveredSamples), arguments: [number])
    return (entries ?? 0) + (samples ?? 0)
  }

  static func anchors(
    of board: BoardID, _ query: String = LogQuery.anchors, in database: Database
  ) throws -> [ClockAnchor] {
    let statement = try database.cachedStatement(sql: query)
    let rows = try Row.fetchCursor(statement, arguments: [board.description])
    // By place: there are hundreds a day, and a column's name takes longer to find than its value.
    return try Array(
      rows.map { row in
        let reading = ClockReading(
          clock: BoardTick(resetID: row[0], tick: row[1]), time: Timestamp(nanoseconds: row[2]),
          error: .nanoseconds(row[3] as Int64), uptime: (row[6] as Int64?).map { .nanoseconds($0) })
        return ClockAnchor(reading, boot: row[4], isHostTimeKnown: row[5])
      })
  }

  static func forgetAnchors(of board: BoardID, in database: Database) throws {
    try database.execute(sql: "DELETE FROM clock_anchor WHERE board = ?", arguments: [board.description])
  }

  static func ledger(of session: LogSession, in database: Database) throws -> LogLedger {
    var ledger = LogLedger(session: session)
    guard let number = try number(of: session.id, in: database) else { return ledger }
    if let row = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT published, lane FROM log_session WHERE number = ?"),
      arguments: [number])
    {
      (ledger.published, ledger.lane) = (row["published"], row.bytes(ifAny: "lane") ?? [])
    }
    let entries = "SELECT coalesce(sum(count), 0) FROM log_page WHERE session = ?"
    ledger.archived = try Int.fetchOne(database.cachedStatement(sql: entries), arguments: [number]) ?? 0
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT stream, sequence, samples, gap_before, delivered_ns FROM log_batch WHERE session = ?
        ORDER BY stream, sequence
        """, arguments: [number])
    while let row = try rows.next() {
      ledger.add(
        stream: row[0], sequence: row[1], samples: row[2], gapBefore: row[3],
        isDelivered: !row.hasNull(atIndex: 4))
    }
    return ledger
  }
}
