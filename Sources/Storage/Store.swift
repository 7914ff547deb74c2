internal import FleetModel
internal import GRDB
internal import Glibc

/// Everything that must survive a restart, in one SQLite file with one writer. What lies there is written and read by
/// subject: `outbox`, `births`, `commands`, `audit`, `history`, `logs`, `publishing`, `kept`, `boards`, `alarms`,
/// `firmware`, `rollouts`.
///
/// A call that returned is on the disk. Calls block the executor they run on, which is why it is handed in: the
/// daemon gives a loop of its own, a simulation its one thread.
package actor Store {
  private let executor: any SerialExecutor
  nonisolated package var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Where a damaged database was put aside when this one was started in its place; nil when all was well.
  package nonisolated let setAside: String?
  /// A damaged database that still lies there, of now or of an earlier start; nil where none does.
  package nonisolated let damaged: String?

  private let directory: String?
  private let measure: @Sendable (String) -> DiskSpace?
  private var lock: DirectoryLock?
  let file: SQLiteFile
  /// What every further call gets: a final failure, or that the store was closed.
  private var end: StoreFailure?
  private var isClosed = false
  /// What stands in memory beside the file.
  private(set) var memory: StoreMemory
  /// Bytes of the disk that are to stay free.
  private var reserve = 0
  private var rehearsed: StoreFailure?

  /// Opens the database in `directory`, which is made if it is missing, checks it and brings it up to date.
  /// Blocks the caller meanwhile, for about the time it takes to read the file.
  ///
  /// A damaged database is renamed and a new one started: boards still hold what was not cleared. One of a newer
  /// version is refused and left as it is. `claimed` is called once the directory is ours, before the database is
  /// touched.
  package init(
    directory: String, executor: any SerialExecutor, claimed: () -> Void = {}
  ) throws(StoreFailure) {
    try self.init(directory: directory, executor: executor, schema: .current, claimed: claimed)
  }

  init(
    directory: String, executor: any SerialExecutor, schema: Schema,
    measure: @escaping @Sendable (String) -> DiskSpace? = DiskSpace.measured, claimed: () -> Void = {}
  ) throws(StoreFailure) {
    let lock = try DirectoryLock(directory)
    claimed()
    let path = "\(directory)/metafleet.sqlite"
    let room = measure(directory).map { DiskRoom(space: $0) } ?? .unlimited
    do throws(StoreFailure) {
      (file, memory) = try Self.open(path, schema, logSize: room.logSize)
      setAside = nil
    } catch {
      guard case .corrupt = error else { throw error }
      setAside = try Self.setAside(path)
      (file, memory) = try Self.open(path, schema, logSize: room.logSize)
    }
    damaged = setAside ?? Self.places(path).last { access($0, F_OK) == 0 }
    self.measure = measure
    self.lock = consume lock
    self.directory = directory
    self.executor = executor
  }

  /// A store that forgets everything when it is dropped, for tests and simulations.
  package init(inMemoryOn executor: any SerialExecutor) throws(StoreFailure) {
    file = try SQLiteFile()
    try Schema.current.migrate(file)
    memory = StoreMemory()
    (setAside, damaged) = (nil, nil)
    directory = nil
    measure = DiskSpace.measured
    lock = nil
    self.executor = executor
  }

  private static func open(
    _ path: String, _ schema: Schema, logSize: Int
  ) throws(StoreFailure) -> (SQLiteFile, StoreMemory) {
    let file = try SQLiteFile(path: path, logSize: logSize)
    try file.check()
    try schema.migrate(file)
    let memory = try file.read { database in
      StoreMemory(
        outbox: try OutboxTotals.counted(in: database), kept: try KeptTable.counted(in: database))
    }
    return (file, memory)
  }

  /// Where the first few damaged databases are put.
  private static func places(_ path: String) -> [String] { (1...99).map { "\(path).damaged-\($0)" } }

  /// The database and its write-ahead log belong together and are renamed together.
  private static func setAside(_ path: String) throws(StoreFailure) -> String {
    var number = 1
    while access("\(path).damaged-\(number)", F_OK) == 0 { number += 1 }
    let place = "\(path).damaged-\(number)"
    for part in ["-wal", "-shm", ""] where rename(path + part, place + part) != 0 && errno != ENOENT {
      throw .io(PathFailure.text("the damaged database \(path)", "renamed"))
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
    end = end ?? .misuse("the database is closed")
    defer { lock = nil }
    try file.close()
  }

  /// Bytes a program without privileges may still write where the database lies; nil in memory.
  package func freeBytes() throws(StoreFailure) -> Int? {
    guard let directory else { return nil }
    guard let space = measure(directory) else {
      throw .io(PathFailure.text("the free space of \(directory)", "measured"))
    }
    return space.free
  }

  /// Bytes of the write-ahead log, as long as it has ever been since it was cut; 0 in memory.
  package var logSize: Int {
    directory.flatMap { DiskSpace.size(of: "\($0)/metafleet.sqlite-wal") } ?? 0
  }

  /// Comes back once the database was looked at, whatever it said: nothing is written.
  package func reach() { _ = try? read { try Int.fetchOne($0, sql: "SELECT count(*) FROM counter") } }

  /// How many bytes are to stay free for replies, state and events; never more than a quarter of the file system.
  package func keepFree(_ bytes: Int) { reserve = bytes }

  /// How many events the history keeps at most, 1 at least. Older ones beyond go with what is written next, some at a
  /// time.
  package func keepHistory(of rows: Int) { memory.historyRows = max(1, rows) }

  /// Writes fail with this from now on, those that write nothing to a full disk do not; nil ends the rehearsal. For
  /// tests: real disks do not fill up on request.
  package func rehearse(_ failure: StoreFailure?) { rehearsed = failure }

  /// What there is room for.
  package var room: DiskRoom {
    get throws(StoreFailure) {
      if rehearsed == .low { return .none }
      return try measuredRoom
    }
  }

  private var measuredRoom: DiskRoom {
    get throws(StoreFailure) {
      guard let directory, let space = measure(directory) else { return .unlimited }
      var room = DiskRoom(space: space, reserve: reserve)
      let path = "\(directory)/metafleet.sqlite"
      guard room.isTight(log: DiskSpace.size(of: path + "-wal") ?? 0) else { return room }
      let pages = try read { try SQLiteFile.pages(in: $0) }
      room.inside = pages.deleted * DiskRoom.pageSize
      room.owed = max(0, pages.all * DiskRoom.pageSize - (DiskSpace.size(of: path) ?? 0))
      return room
    }
  }

  /// Throws `full` before the disk is: what folding the log needs is not written into. Where that much is lacking, it
  /// is folded first, as far as readers allow. `frees`: whether room is to be made, which is worth what is left of it.
  ///
  /// A file system that is read-only is not tried: what comes of a write there is an error like that of a dying disk.
  private func requireRoom(frees: Bool) throws(StoreFailure) {
    let measured = try measuredRoom
    if measured.space.isReadOnly { throw .readOnly }
    guard measured.isFull else { return }
    try? file.fold()
    let room = try measuredRoom
    if room.isFull, !frees || room.owed > 0 { throw .full }
  }

  /// Whatever a read-out was compared with is of no use any more.
  func forgetReadOut(of session: ULID) { memory.readOuts[session] = nil }

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

  /// One transaction: all of it is on the disk when this returns, or nothing. `frees`: it deletes.
  func write<Value: Sendable>(
    frees: Bool = false, _ body: @Sendable (Database) throws -> Value
  ) throws(StoreFailure) -> Value {
    try change(frees: frees) { database, _ in try body(database) }
  }

  /// A transaction that may change what stands in memory, which follows only when it is on the disk.
  func change<Value: Sendable>(
    frees: Bool = false, _ body: @Sendable (Database, inout StoreMemory) throws -> Value
  ) throws(StoreFailure) -> Value {
    var changed = memory
    let value = try transaction(frees: frees) { try body($0, &changed) }
    memory = changed
    return value
  }

  private func transaction<Value>(
    frees: Bool, _ body: (Database) throws -> Value
  ) throws(StoreFailure) -> Value {
    try requireRoom(frees: frees)
    let rehearsed = rehearsed == .low ? nil : rehearsed
    if let rehearsed, rehearsed != .full { throw rehearsed }
    return try guarded { () throws(StoreFailure) in
      try file.write { database in
        let before = database.totalChangesCount
        let value = try body(database)
        // A transaction without a change needs no room.
        if let rehearsed, database.totalChangesCount != before { throw rehearsed }
        return value
      }
    }
  }

  func read<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) throws(StoreFailure) -> Value {
    try inspect { database, _ in try body(database) }
  }

  /// Reads the file and what stands in memory beside it.
  func inspect<Value: Sendable>(
    _ body: @Sendable (Database, StoreMemory) throws -> Value
  ) throws(StoreFailure) -> Value {
    try guarded { () throws(StoreFailure) in try file.read { try body($0, memory) } }
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
