import GRDBSQLite

/// All that stands in a database, table by table, read past the store and past `FaultyVFS`.
struct DatabaseContent: Hashable, CustomStringConvertible {
  let tables: [String: [String]]
  /// The statements that made the tables and indices.
  let schema: [String]

  var description: String { tables.map { "\($0.key): \($0.value.count)" }.sorted().joined(separator: ", ") }

  /// The directory has to be there as long as this reads.
  init(_ directory: StateDirectory) throws {
    var database: OpaquePointer?
    let code = sqlite3_open_v2(directory.database, &database, SQLITE_OPEN_READWRITE, "unix")
    defer { sqlite3_close(database) }
    guard code == SQLITE_OK else { throw Unreadable(code: code) }
    schema = try Self.rows("SELECT sql FROM sqlite_master WHERE sql NOT NULL ORDER BY sql", database)
    let names = try Self.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name", database)
    tables = try Dictionary(
      uniqueKeysWithValues: names.map { ($0, try Self.rows("SELECT * FROM \"\($0)\" ORDER BY 1", database)) })
    guard try Self.rows("PRAGMA integrity_check", database) == ["ok"] else {
      throw Unreadable(code: SQLITE_CORRUPT)
    }
  }

  struct Unreadable: Error { var code: Int32 }

  private static func rows(_ query: String, _ database: OpaquePointer?) throws -> [String] {
    var statement: OpaquePointer?
    var code = sqlite3_prepare_v2(database, query, -1, &statement, nil)
    defer { sqlite3_finalize(statement) }
    guard code == SQLITE_OK else { throw Unreadable(code: code) }
    var rows: [String] = []
    while true {
      code = sqlite3_step(statement)
      guard code == SQLITE_ROW else { break }
      let values = (0..<sqlite3_column_count(statement)).map { column in
        sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "–"
      }
      rows.append(values.joined(separator: "|"))
    }
    guard code == SQLITE_DONE else { throw Unreadable(code: code) }
    return rows
  }
}
