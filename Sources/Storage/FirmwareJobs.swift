package import FleetModel
internal import FoundationEssentials
internal import GRDB

/// Firmware that a board is being given, so that whoever is killed meanwhile goes on.
package struct FirmwareJob: Hashable, Sendable {
  package var board: BoardID
  /// What its supervisor goes by, as JSON.
  package var document: [UInt8]
  /// When it was written last.
  package var time: Timestamp

  package init(board: BoardID, document: [UInt8], time: Timestamp) {
    (self.board, self.document, self.time) = (board, document, time)
  }
}

/// The boards that are being given firmware: at most one row each, which goes when an application answered.
package struct FirmwareJobs: Sendable {
  let store: Store

  /// That of a board; nil where there is none.
  package func job(of board: BoardID) async throws(StoreFailure) -> FirmwareJob? {
    try await store.read { database in
      try Row.fetchOne(
        database, sql: "SELECT * FROM firmware_job WHERE board = ?", arguments: [board.description]
      ).map { FirmwareJob(board: board, document: $0.bytes("document"), time: $0.time("time_ns")) }
    }
  }

  /// Writes one in the place of the one before. Nothing is written to a board before this returns.
  package func keep(_ job: FirmwareJob) async throws(StoreFailure) {
    try await store.write { database in
      try database.executeCached(
        sql: "INSERT OR REPLACE INTO firmware_job (board, document, time_ns) VALUES (?, ?, ?)",
        arguments: [job.board.description, Data(job.document), job.time.nanoseconds])
    }
  }

  /// It is over.
  package func forget(_ board: BoardID) async throws(StoreFailure) {
    try await store.write(frees: true) { database in
      try database.executeCached(
        sql: "DELETE FROM firmware_job WHERE board = ?", arguments: [board.description])
    }
  }
}

extension Store {
  /// Firmware that boards are being given.
  package nonisolated var firmware: FirmwareJobs { FirmwareJobs(store: self) }
}
