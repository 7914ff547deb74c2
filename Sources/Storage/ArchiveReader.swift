package import FleetModel
internal import GRDB
internal import Glibc

/// Looks at the archive of logs and at the audit trail without writing, whether the daemon runs or not.
package struct ArchiveReader: Sendable {
  private let queue: DatabaseQueue

  /// Opens the database of a state directory; nil when there is none. One that may not be read is `taken`.
  package init?(directory: String) throws(StoreFailure) {
    let path = "\(directory)/metafleet.sqlite"
    guard access(path, F_OK) == 0 else {
      if errno == ENOENT { return nil }
      throw .taken(PathFailure.text(path, "read"))
    }
    guard access(path, R_OK) == 0 else { throw .taken(PathFailure.text(path, "read")) }
    do {
      var configuration = Configuration()
      configuration.readonly = true
      configuration.busyMode = .timeout(5)
      queue = try DatabaseQueue(path: path, configuration: configuration)
    } catch {
      throw StoreFailure(error)
    }
  }

  /// Whether the database holds logs: one of an earlier version does not until the daemon was started.
  package func hasArchive() throws(StoreFailure) -> Bool {
    try read { try $0.tableExists("log_session") }
  }

  /// Sessions, newest last.
  package func sessions(of board: BoardID? = nil, since: Timestamp? = nil) throws(StoreFailure)
    -> [LogSession]
  {
    try read { try LogTable.sessions(of: board, since: since, in: $0) }
  }

  /// A session's pieces from a piece's first entry on, at most `limit`.
  package func pieces(of id: ULID, from position: Int, limit: Int) throws(StoreFailure) -> [LogPiece] {
    try read { try LogTable.pieces(of: id, from: position, limit: limit, in: $0) }
  }

  /// A session's declared gaps.
  package func gaps(of id: ULID) throws(StoreFailure) -> [LogGap] {
    try read { try LogTable.gaps(of: id, after: 0, in: $0) }
  }

  /// What publishing the board's session before this one left behind.
  package func earlierLane(of id: ULID) throws(StoreFailure) -> [UInt8]? {
    try read { try LogTable.earlierLane(of: id, in: $0) }
  }

  /// A board's looks at its clock, in the order in which they were taken.
  package func anchors(of board: BoardID) throws(StoreFailure) -> [ClockAnchor] {
    try read { try LogTable.anchors(of: board, in: $0) }
  }

  /// What became of a session's samples.
  package func ledger(of session: LogSession) throws(StoreFailure) -> LogLedger {
    try read { try LogTable.ledger(of: session, in: $0) }
  }

  func read<Value>(_ body: (Database) throws -> Value) throws(StoreFailure) -> Value {
    do { return try queue.read(body) } catch { throw StoreFailure(error) }
  }
}
