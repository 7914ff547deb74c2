package import FleetModel
internal import FoundationEssentials
internal import GRDB

/// Boards that were admitted, and what is remembered of all.
package struct BoardStore: Sendable {
  let store: Store

  /// All that is remembered, for start-up.
  package func memories() async throws(StoreFailure) -> [BoardID: BoardMemory] {
    try await store.read { database in
      var memories: [BoardID: BoardMemory] = [:]
      for row in try Row.fetchAll(database.cachedStatement(sql: "SELECT * FROM board_memory")) {
        guard let board = BoardID(row["board"] as String) else { continue }
        var memory = BoardMemory(board: board)
        memory.driverMemory = row.bytes("driver_memory")
        memory.description = row.bytes(ifAny: "description")
        memory.resetID = row["reset_id"]
        memory.bootTime = row.time(ifAny: "boot_ns")
        memory.bootCount = row["boot_count"]
        memory.overlay = row.bytes("overlay")
        memory.advertisedName = row["advertised_name"]
        memory.led = row.bytes(ifAny: "led")
        memories[board] = memory
      }
      for stream in try OpenStreamTable.all(in: database) {
        memories[stream.board, default: BoardMemory(board: stream.board)].cutOff.append(stream)
      }
      return memories
    }
  }

  /// Replaces what is remembered of one board.
  package func save(_ memory: BoardMemory) async throws(StoreFailure) {
    try await store.write { database in
      try database.executeCached(
        sql: """
          INSERT OR REPLACE INTO board_memory (board, driver_memory, description, reset_id, boot_ns, boot_count,
            overlay, advertised_name, led) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          memory.board.description, Data(memory.driverMemory), memory.description.map { Data($0) },
          memory.resetID, memory.bootTime?.nanoseconds, memory.bootCount, Data(memory.overlay),
          memory.advertisedName, memory.led.map { Data($0) },
        ])
    }
  }

  /// Forgets a board's memory, and where its streams stood.
  package func forgetMemory(of board: BoardID) async throws(StoreFailure) {
    try await store.write { database in
      try database.executeCached(
        sql: "DELETE FROM board_memory WHERE board = ?", arguments: [board.description])
      try OpenStreamTable.forget(board, in: database)
    }
  }
}

extension Store {
  /// Boards that were admitted, and what is remembered of all.
  package nonisolated var boards: BoardStore { BoardStore(store: self) }
}
