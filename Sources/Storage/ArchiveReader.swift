package import FleetModel
internal import GRDB
internal import Glibc

/// Looks at the archive of logs and at the audit trail without writing, whether the daemon runs or not.
package struct ArchiveReader: Sendable {
  private let queue: DatabaseQueue
  private let path: String
  /// Which file it was when it was opened.
  private let file: FileIdentity?

  /// Opens the database of a state directory; nil when there is none. One that may not be read is `taken`.
  package init?(directory: String) throws(StoreFailure) {
    let path = "\(directory)/metafleet.sqlite"
    guard access(path, F_OK) == 0 else {
      if errno == ENOENT { return nil }
      throw .taken(PathFailure.text(path, "read"))
    }
    guard access(path, R_OK) == 0 else { throw .taken(PathFailure.text(path, "read")) }
    self.path = path
    file = FileIdentity(path)
    do {
      var configuration = Configuration()
      configuration.readonly = true
      configuration.busyMode = .timeout(5)
      queue = try DatabaseQueue(path: path, configuration: configuration)
    } catch {
      throw StoreFailure(error)
    }
  }

  /// Whether another file, or none, stands where the database was: the daemon puts a damaged one aside.
  package var isReplaced: Bool { FileIdentity(path) != file }

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

/// Which file a path leads to.
private struct FileIdentity: Equatable, Sendable {
  var device: UInt64
  var number: UInt64

  /// Nil where there is none.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
  }
}
