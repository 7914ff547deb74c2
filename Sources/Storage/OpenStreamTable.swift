internal import FleetModel
internal import GRDB

/// The statements about streams' sessions that go on, to be run inside the transaction that keeps their batches: what
/// is noted of a session is never ahead of what is kept of it.
enum OpenStreamTable {
  /// Before the batches: sessions that began. One that stands further already, by a batch that was faster, stays there.
  static func begin(_ streams: [OpenStream], in database: Database) throws {
    for stream in streams { try put(stream, onConflict: "NOTHING", in: database) }
  }

  /// With batches, in order: each session stands where its last one does.
  static func advance(_ streams: [OpenStream], in database: Database) throws {
    var seen: Set<ULID> = []
    for stream in streams.reversed() where seen.insert(stream.session).inserted {
      try put(stream, onConflict: "UPDATE SET last_ns = excluded.last_ns, told = excluded.told", in: database)
    }
  }

  private static func put(_ stream: OpenStream, onConflict action: String, in database: Database) throws {
    try database.executeCached(
      sql: """
        INSERT INTO open_stream (session, board, stream, last_ns, told) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (session) DO \(action)
        """,
      arguments: [
        stream.session.description, stream.board.description, stream.stream, stream.last.nanoseconds,
        stream.told,
      ])
  }

  /// Behind the batches: sessions that are over.
  static func end(_ sessions: [ULID], in database: Database) throws {
    for session in sessions {
      try database.executeCached(
        sql: "DELETE FROM open_stream WHERE session = ?", arguments: [session.description])
    }
  }

  /// Nobody asks for a board's sessions any more.
  static func forget(_ board: BoardID, in database: Database) throws {
    try database.executeCached(
      sql: "DELETE FROM open_stream WHERE board = ?", arguments: [board.description])
  }

  /// All there are, oldest first.
  static func all(in database: Database) throws -> [OpenStream] {
    try Row.fetchAll(database.cachedStatement(sql: "SELECT * FROM open_stream ORDER BY session")).compactMap {
      row in
      guard let board = BoardID(row["board"] as String), let session = ULID(row["session"] as String) else {
        return nil
      }
      return OpenStream(
        board: board, stream: row["stream"], session: session, last: row.time("last_ns"), told: row["told"])
    }
  }
}
