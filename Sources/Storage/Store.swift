internal import FleetModel
internal import FoundationEssentials
internal import GRDB
internal import Glibc

/// Everything that must survive a restart, in one SQLite file with one writer.
///
/// A call that returned is on the disk. Calls block the executor they run on, which is why it is handed in: the
/// daemon gives a loop of its own, a simulation its one thread.
package actor Store {
  private let executor: any SerialExecutor
  nonisolated package var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Where a damaged database was put aside when this one was started in its place; nil when all was well.
  package nonisolated let setAside: String?

  private let directory: String?
  private var lock: DirectoryLock?
  let file: SQLiteFile
  /// What every further call gets: a final failure, or that the store was closed.
  private var end: StoreFailure?
  private var isClosed = false
  var totals: OutboxTotals
  /// Logs that are read out at the moment.
  var logReadOuts: [ULID: OpenReadOut] = [:]
  /// Bytes of the disk that are to stay free.
  private var reserve = 0
  private var rehearsed: StoreFailure?

  /// Opens the database in `directory`, which is made if it is missing, checks it and brings it up to date.
  /// Blocks the caller meanwhile, for about the time it takes to read the file.
  ///
  /// A damaged database is renamed and a new one started: boards still hold what was not cleared. One of a newer
  /// version is refused and left as it is.
  package init(directory: String, executor: any SerialExecutor) throws(StoreFailure) {
    try self.init(directory: directory, executor: executor, schema: .current)
  }

  init(directory: String, executor: any SerialExecutor, schema: Schema) throws(StoreFailure) {
    let lock = try DirectoryLock(directory)
    let path = "\(directory)/metafleet.sqlite"
    do throws(StoreFailure) {
      (file, totals) = try Self.open(path, schema)
      setAside = nil
    } catch {
      guard case .corrupt = error else { throw error }
      setAside = try Self.setAside(path)
      (file, totals) = try Self.open(path, schema)
    }
    self.lock = consume lock
    self.directory = directory
    self.executor = executor
  }

  /// A store that forgets everything when it is dropped, for tests and simulations.
  package init(inMemoryOn executor: any SerialExecutor) throws(StoreFailure) {
    file = try SQLiteFile()
    try Schema.current.migrate(file)
    totals = OutboxTotals()
    setAside = nil
    directory = nil
    lock = nil
    self.executor = executor
  }

  private static func open(
    _ path: String, _ schema: Schema
  ) throws(StoreFailure) -> (SQLiteFile, OutboxTotals) {
    let file = try SQLiteFile(path: path)
    try file.check()
    try schema.migrate(file)
    return (file, try file.read { try OutboxTotals.counted(in: $0) })
  }

  /// The database and its write-ahead log belong together and are renamed together.
  private static func setAside(_ path: String) throws(StoreFailure) -> String {
    var number = 1
    while access("\(path).damaged-\(number)", F_OK) == 0 { number += 1 }
    let place = "\(path).damaged-\(number)"
    for part in ["-wal", "-shm", ""] where rename(path + part, place + part) != 0 && errno != ENOENT {
      throw .io("the damaged database \(path) cannot be renamed: \(String(cString: strerror(errno)))")
    }
    return place
  }
}

extension Store {
  /// Ends all use, folds the write-ahead log into the database and lets go of the directory. Repeating it does
  /// nothing.
  package func close() throws(StoreFailure) {
    if isClosed { return }
    isClosed = true
    end = end ?? .misuse("the store is closed")
    defer { lock = nil }
    try file.close()
  }

  /// Bytes a program without privileges may still write where the database lies; nil in memory.
  package func freeBytes() throws(StoreFailure) -> Int? {
    guard let directory else { return nil }
    var status = statvfs()
    guard statvfs(directory, &status) == 0 else { throw .io(String(cString: strerror(errno))) }
    return Int(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize))
  }

  /// How many bytes are to stay free for replies, state and events; never more than a quarter of the file system.
  package func keepFree(_ bytes: Int) { reserve = bytes }

  /// Every write fails with this from now on; nil ends the rehearsal. For tests: real disks do not fill up on request.
  package func rehearse(_ failure: StoreFailure?) { rehearsed = failure }

  /// Whether less is left than is to stay free. What deleted rows have left inside the file counts as free.
  package var isLow: Bool {
    get throws(StoreFailure) {
      if rehearsed == .low { return true }
      guard reserve > 0, let directory else { return false }
      var status = statvfs()
      guard statvfs(directory, &status) == 0 else { return false }
      let block = UInt64(status.f_frsize)
      let whole = Int(clamping: UInt64(status.f_blocks) &* block)
      let free = Int(clamping: UInt64(status.f_bavail) &* block)
      let wanted = min(reserve, whole / 4)
      if free >= wanted { return false }
      let inside = try read { database in
        try Int.fetchOne(
          database, sql: "SELECT freelist_count * page_size FROM pragma_freelist_count, pragma_page_size")
          ?? 0
      }
      return free + inside < wanted
    }
  }

  /// Writes next to nothing, to find out whether the disk takes it.
  package func probe() throws(StoreFailure) {
    try write { database in
      try database.executeCached(
        sql: """
          INSERT INTO counter (name, value) VALUES ('probe', 1)
          ON CONFLICT (name) DO UPDATE SET value = value + 1
          """)
    }
  }

  /// One transaction: all of it is on the disk when this returns, or nothing.
  func write<Value>(_ body: (Database) throws -> Value) throws(StoreFailure) -> Value {
    if let rehearsed, rehearsed != .low { throw rehearsed }
    return try guarded { () throws(StoreFailure) in try file.write(body) }
  }

  func read<Value>(_ body: (Database) throws -> Value) throws(StoreFailure) -> Value {
    try guarded { () throws(StoreFailure) in try file.read(body) }
  }

  private func guarded<Value>(_ work: () throws(StoreFailure) -> Value) throws(StoreFailure) -> Value {
    if let end { throw end }
    do throws(StoreFailure) {
      return try work()
    } catch {
      // A failed sync may have dropped what it could not write; a later one would succeed and prove nothing.
      if error.isFinal { end = error }
      throw error
    }
  }
}
