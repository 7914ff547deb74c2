internal import FleetModel
internal import FoundationEssentials
internal import GRDB

/// The statements of the history of events, to be run inside the transaction of whoever publishes them.
enum HistoryTable {
  /// How many rows beyond the limit a transaction removes besides as many as it adds: a limit that was lowered is
  /// reached bit by bit, and no transaction becomes long.
  private static let surplus = 100

  /// Keeps entries, and of all only the latest `limit`: a flood never makes the table longer.
  static func append(_ entries: [HistoryEntry], to database: Database, limit: Int) throws {
    guard !entries.isEmpty else { return }
    let insert = try database.cachedStatement(
      sql: """
        INSERT INTO event (time_ns, kind, is_of_gateway, board, adapter, document) VALUES (?, ?, ?, ?, ?, ?)
        """)
    for entry in entries {
      try insert.execute(arguments: [
        entry.time.nanoseconds, entry.kind, entry.isOfGateway, entry.board?.description, entry.adapter,
        Data(entry.document),
      ])
    }
    try removeSurplus(over: limit, atMost: entries.count + surplus, in: database)
  }

  /// Numbers have no holes but where rows were removed, so that they count the rows well enough.
  static func removeSurplus(over limit: Int, atMost batch: Int, in database: Database) throws {
    let last = try last(in: database)
    try database.executeCached(sql: HistoryQuery.forgetFirst, arguments: [last - Int64(limit), batch])
  }

  /// Removes at most `batch` rows that happened before `limit`, as far as nothing that is kept was recorded before
  /// them: what was recorded while the clock stood wrong goes with its neighbours.
  static func forget(before limit: Timestamp, now: Timestamp, batch: Int, in database: Database) throws {
    try database.executeCached(
      sql: HistoryQuery.forgetOld, arguments: [limit.nanoseconds, now.nanoseconds, batch])
  }

  /// The number of the row that was written last, whether or not it is still there; 0 before the first.
  static func last(in database: Database) throws -> Int64 {
    try Int64.fetchOne(database.cachedStatement(sql: HistoryQuery.last)) ?? 0
  }

  static func first(in database: Database) throws -> Int64? {
    try Int64.fetchOne(database.cachedStatement(sql: "SELECT min(id) FROM event"))
  }

  static func entry(_ row: Row) -> HistoryEntry {
    HistoryEntry(
      time: row.time("time_ns"), kind: row["kind"], isOfGateway: row["is_of_gateway"],
      board: (row["board"] as String?).flatMap { BoardID($0) }, adapter: row["adapter"],
      document: row.bytes("document"))
  }
}

/// The statements of the history, those that rely on an index among them.
enum HistoryQuery {
  static let last = "SELECT seq FROM sqlite_sequence WHERE name = 'event'"

  static let forgetFirst = """
    DELETE FROM event WHERE id IN (SELECT id FROM event WHERE id <= ? ORDER BY id LIMIT ?)
    """
  /// `+`: the first row that is young enough is near the front, and is found from there.
  static let forgetOld = """
    DELETE FROM event WHERE id IN (
      SELECT id FROM event WHERE time_ns < ?1 AND id < coalesce(
        (SELECT id FROM event WHERE +time_ns BETWEEN ?1 AND ?2 ORDER BY id LIMIT 1), 9223372036854775807)
      ORDER BY id LIMIT ?3)
    """

  /// Whose events: ?1 a board, ?2 an adapter, ?3 whether the gateway's alone, ?4 kinds as a JSON array; null is all.
  private static let chosen = """
    (?1 IS NULL OR board = ?1) AND (?2 IS NULL OR adapter = ?2) AND (?3 = 0 OR is_of_gateway = 1)
    AND (?4 IS NULL OR kind IN (SELECT value FROM json_each(?4)))
    """
  static let latest = """
    SELECT * FROM event WHERE time_ns >= ?5 AND \(chosen) ORDER BY time_ns DESC, id DESC LIMIT ?6
    """
  /// `+`: only the rows behind a number are looked at, not all in the order of time.
  static let later = "SELECT * FROM event WHERE id > ?5 AND \(chosen) ORDER BY +time_ns, id"
}
