package import FleetModel
internal import FoundationEssentials
internal import GRDB

/// What we know of a board between two links and across restarts. JSON and the driver's bytes are opaque here.
package struct BoardMemory: Hashable, Sendable {
  package var board: BoardID
  /// What the board family wants back at the next link.
  package var driverMemory: [UInt8] = []
  /// The last interview, as JSON; nil before the first.
  package var description: [UInt8]?
  /// The board's own reset counter when it was last read.
  package var resetID: Int?
  /// When it last started, as far as we can tell.
  package var bootTime: Timestamp?
  /// Resets as this fleet has seen them; `boot` in batches, starts at 1.
  package var bootCount: Int = 1
  /// What verbs have changed of the profile, as JSON; empty for nothing.
  package var overlay: [UInt8] = []
  package var advertisedName: String?
  /// The last LED state set, as JSON.
  package var led: [UInt8]?

  /// Sessions of its streams that went on when the gateway was killed, oldest first; not saved with the others.
  package var cutOff: [OpenStream] = []

  package init(board: BoardID) { self.board = board }
}

extension Store {
  /// All that is remembered, for start-up.
  package func boardMemories() throws(StoreFailure) -> [BoardID: BoardMemory] {
    try read { database in
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
  package func save(_ memory: BoardMemory) throws(StoreFailure) {
    try write { database in
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
  package func forgetMemory(of board: BoardID) throws(StoreFailure) {
    try write { database in
      try database.executeCached(
        sql: "DELETE FROM board_memory WHERE board = ?", arguments: [board.description])
      try OpenStreamTable.forget(board, in: database)
    }
  }
}
