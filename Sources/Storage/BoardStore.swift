package import FleetModel
internal import FoundationEssentials
internal import GRDB

/// Boards that were admitted, and what is remembered of all.
package struct BoardStore: Sendable {
  let store: Store

  /// All that is remembered, for start-up; also of boards that left.
  package func memories() async throws(StoreFailure) -> [BoardID: BoardMemory] {
    try await store.read { database in
      var memories: [BoardID: BoardMemory] = [:]
      for row in try Row.fetchAll(database.cachedStatement(sql: "SELECT * FROM board_memory")) {
        guard let memory = BoardMemory(row) else { continue }
        memories[memory.board] = memory
      }
      for stream in try OpenStreamTable.all(in: database) {
        memories[stream.board, default: BoardMemory(board: stream.board)].cutOff.append(stream)
      }
      return memories
    }
  }

  /// What is remembered of one board; nil when that is nothing.
  package func memory(of board: BoardID) async throws(StoreFailure) -> BoardMemory? {
    try await store.read { database in
      let statement = try database.cachedStatement(sql: "SELECT * FROM board_memory WHERE board = ?")
      let streams = try OpenStreamTable.all(in: database).filter { $0.board == board }
      var memory = try Row.fetchOne(statement, arguments: [board.description]).flatMap { BoardMemory($0) }
      if !streams.isEmpty { memory = memory ?? BoardMemory(board: board) }
      memory?.cutOff = streams
      return memory
    }
  }

  /// Nobody wants a board from `time` on: what is remembered of it waits until it comes back or is forgotten.
  package func leave(_ board: BoardID, at time: Timestamp) async throws(StoreFailure) {
    try await store.write { database in
      try database.executeCached(
        sql: """
          INSERT INTO board_memory (board, driver_memory, boot_count, overlay, left_ns) VALUES (?, x'', 1, x'', ?)
          ON CONFLICT (board) DO UPDATE SET left_ns = excluded.left_ns
          """,
        arguments: [board.description, time.nanoseconds])
    }
  }

  /// Somebody wants it again.
  package func comeBack(_ board: BoardID) async throws(StoreFailure) {
    try await store.write { database in
      try database.executeCached(
        sql: "UPDATE board_memory SET left_ns = NULL WHERE board = ?", arguments: [board.description])
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

  /// Forgets a board's memory, where its streams stood, and firmware that it was being given.
  package func forgetMemory(of board: BoardID) async throws(StoreFailure) {
    try await store.write { database in
      try database.executeCached(
        sql: "DELETE FROM board_memory WHERE board = ?", arguments: [board.description])
      try OpenStreamTable.forget(board, in: database)
      try database.executeCached(
        sql: "DELETE FROM firmware_job WHERE board = ?", arguments: [board.description])
    }
  }
}

extension BoardMemory {
  fileprivate init?(_ row: Row) {
    guard let board = BoardID(row["board"] as String) else { return nil }
    self.init(board: board)
    driverMemory = row.bytes("driver_memory")
    description = row.bytes(ifAny: "description")
    resetID = row["reset_id"]
    bootTime = row.time(ifAny: "boot_ns")
    bootCount = row["boot_count"]
    overlay = row.bytes("overlay")
    advertisedName = row["advertised_name"]
    led = row.bytes(ifAny: "led")
    leftSince = row.time(ifAny: "left_ns")
  }
}

extension Store {
  /// Boards that were admitted, and what is remembered of all.
  package nonisolated var boards: BoardStore { BoardStore(store: self) }
}
