internal import FoundationEssentials
package import FleetModel
internal import GRDB

/// A board admitted at run time, by a command or by open admission. Boards of the configuration file are not here.
package struct BoardAdmission: Hashable, Sendable {
  package var board: BoardID
  /// What was said about it, as JSON.
  package var document: [UInt8]
  /// When it was first admitted.
  package var created: Timestamp
  /// `command`, `open` or `window` (MQTT contract, section 5).
  package var admittedBy: String

  package init(board: BoardID, document: [UInt8], created: Timestamp, admittedBy: String) {
    self.board = board
    self.document = document
    self.created = created
    self.admittedBy = admittedBy
  }
}

extension BoardAdmission {
  fileprivate static func all(in database: Database) throws -> [BoardAdmission] {
    try Row.fetchAll(database, sql: "SELECT * FROM admission ORDER BY board").compactMap { row in
      guard let board = BoardID(row["board"] as String) else { return nil }
      return BoardAdmission(
        board: board, document: row.bytes("document"), created: row.time("created_ns"),
        admittedBy: row["admitted_by"])
    }
  }
}

extension ArchiveReader {
  /// As `BoardStore.admissions`.
  package func admissions() throws(StoreFailure) -> [BoardAdmission] {
    try read { try BoardAdmission.all(in: $0) }
  }
}

extension BoardStore {
  /// Those who are in, by board.
  package func admissions() async throws(StoreFailure) -> [BoardAdmission] {
    try await store.read { try BoardAdmission.all(in: $0) }
  }

  /// Lets a board in; of one that is in already the document changes, and a command takes over what joined by itself. A
  /// command also lifts the block of the address. True if it is new.
  package func admit(_ admission: BoardAdmission) async throws(StoreFailure) -> Bool {
    try await store.write { database in
      let board = admission.board.description
      let known = try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM admission WHERE board = ?)", arguments: [board])
      try database.execute(
        sql: """
          INSERT INTO admission (board, document, created_ns, admitted_by) VALUES (?, ?, ?, ?)
          ON CONFLICT (board) DO UPDATE SET document = excluded.document,
            admitted_by = iif(excluded.admitted_by = 'command', 'command', admitted_by)
          """,
        arguments: [board, Data(admission.document), admission.created.nanoseconds, admission.admittedBy])
      if admission.admittedBy == "command" {
        try database.execute(sql: "DELETE FROM blocked_address WHERE board = ?", arguments: [board])
      }
      return known != true
    }
  }

  /// Takes an admission back. False if there was none.
  package func dismiss(_ board: BoardID) async throws(StoreFailure) -> Bool {
    try await store.write { database in
      try database.execute(sql: "DELETE FROM admission WHERE board = ?", arguments: [board.description])
      return database.changesCount > 0
    }
  }

  /// Takes an admission back, if there is one, and keeps that the address is blocked.
  package func block(_ board: BoardID, at now: Timestamp) async throws(StoreFailure) {
    try await store.write { database in
      let board = board.description
      try database.execute(sql: "DELETE FROM admission WHERE board = ?", arguments: [board])
      try database.execute(
        sql: "INSERT INTO blocked_address (board, since_ns) VALUES (?, ?) ON CONFLICT (board) DO NOTHING",
        arguments: [board, now.nanoseconds])
    }
  }

  /// The addresses that are blocked.
  package func blocked() async throws(StoreFailure) -> Set<BoardID> {
    try await store.read { database in
      Set(try String.fetchAll(database, sql: "SELECT board FROM blocked_address").compactMap { BoardID($0) })
    }
  }
}
