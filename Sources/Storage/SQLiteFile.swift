internal import GRDB

/// One SQLite connection whose commits survive a power cut, or one in memory for tests and simulation.
///
/// A queue, not a pool: there is one writer, and readers would only wait for it.
struct SQLiteFile: Sendable {
  /// `PRAGMA synchronous`: when a commit is on the disk.
  enum Synchronous: Int, Sendable {
    /// At the next checkpoint; a power cut takes the last commits back.
    case normal = 1
    /// Before the commit returns.
    case full = 2
  }

  let queue: DatabaseQueue
  /// How long a write waits for another program that has locked the file, in milliseconds.
  static let lockTimeout = 1_000
  /// The same once one has waited in vain, until one succeeds. Calls are served one after the other: if each waited for
  /// as long as the first, the last of ten had its answer ten seconds later.
  static let shortLockTimeout = 20

  /// Opens or creates the file at `path`. `logSize`: bytes at which the write-ahead log is folded into it.
  init(
    path: String, synchronous: Synchronous = .full, logSize: Int = DiskRoom.unlimited.logSize
  ) throws(StoreFailure) {
    PrivateFiles.create(path)
    do {
      var configuration = Self.configuration
      configuration.journalMode = .wal
      queue = try DatabaseQueue(path: path, configuration: configuration)
    } catch {
      throw StoreFailure(error)
    }
    try setSynchronous(synchronous)
    try requireFullSync()
    try setLogSize(logSize)
  }

  /// Opens a database that nobody else sees and that ends with this value.
  init() throws(StoreFailure) {
    do {
      queue = try DatabaseQueue(configuration: Self.configuration)
    } catch {
      throw StoreFailure(error)
    }
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    // Somebody may look into the file with other tools. The call then fails soon, and is made again: meanwhile
    // nobody else gets at the store.
    configuration.busyMode = .timeout(Double(Self.lockTimeout) / 1_000)
    // Errors then name the statement but never its values, which may be payloads.
    configuration.publicStatementArguments = false
    return configuration
  }

  /// GRDB relaxes the level to `normal` when it switches the write-ahead log on, so this comes after opening.
  private func setSynchronous(_ level: Synchronous) throws(StoreFailure) {
    try outsideTransaction { try $0.execute(sql: "PRAGMA synchronous = \(level.rawValue)") }
  }

  /// A reader that stays keeps the log from being folded; once it is gone, the log is cut to its size again.
  private func setLogSize(_ bytes: Int) throws(StoreFailure) {
    try outsideTransaction { database in
      try database.execute(sql: "PRAGMA wal_autocheckpoint = \(bytes / DiskRoom.pageSize)")
      try database.execute(sql: "PRAGMA journal_size_limit = \(bytes)")
      // Distributions have SQLite overwrite what is deleted: to delete a megabyte would take one in the log.
      try database.execute(sql: "PRAGMA secure_delete = FAST")
    }
  }

  /// The daemon erases a board's log after a commit; a commit that may be taken back would lose it.
  private func requireFullSync() throws(StoreFailure) {
    let level = try outsideTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
    let journal = try outsideTransaction { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
    guard level == Synchronous.full.rawValue, journal == "wal" else {
      throw .misuse(
        "commits are not durable: synchronous is \(level ?? -1), journal mode \(journal ?? "unknown")")
    }
  }

  /// Folds the write-ahead log into the file, as far as readers allow, and gives its room back once all of it is.
  func fold() throws(StoreFailure) {
    try outsideTransaction { database in
      let (all, folded) = try database.checkpoint(.passive)
      // This one waits for readers, so it comes when there is nothing left for them.
      if all == folded { _ = try database.checkpoint(.truncate) }
    }
  }

  /// How many pages the database has with what is in the log, and how many of them hold nothing.
  static func pages(in database: Database) throws -> (all: Int, deleted: Int) {
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: "SELECT page_count, freelist_count FROM pragma_page_count, pragma_freelist_count"))
    return (row?[0] ?? 0, row?[1] ?? 0)
  }

  /// Structure only, not whether every index agrees with its table: about the time it takes to read the file.
  ///
  /// A page that could not be read is a finding like any other there; one that can be read the next time was never
  /// damaged.
  func check() throws(StoreFailure) {
    guard try finding() != nil, let finding = try finding() else { return }
    throw .corrupt(finding)
  }

  /// What is wrong with the file; nil where nothing is.
  private func finding() throws(StoreFailure) -> String? {
    let answer = try outsideTransaction { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
    return answer == "ok" ? nil : answer ?? "no answer to quick_check"
  }

  /// Runs `body` as one transaction. Where another program has locked the file it fails after `lockTimeout`, and the
  /// writes behind it after `shortLockTimeout`.
  func write<Value>(_ body: (Database) throws -> Value) throws(StoreFailure) -> Value {
    do {
      return try queue.writeWithoutTransaction { database in
        do {
          var value: Value?
          try database.inTransaction {
            value = try body(database)
            return .commit
          }
          guard let value else { throw StoreFailure.misuse("a transaction has no result") }
          Self.setLockTimeout(Self.lockTimeout, of: database)
          return value
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
          Self.setLockTimeout(Self.shortLockTimeout, of: database)
          throw error
        }
      }
    } catch {
      throw StoreFailure(error)
    }
  }

  /// What was committed stays so, whatever becomes of this: it sets a number in memory.
  private static func setLockTimeout(_ milliseconds: Int, of database: Database) {
    let now = try? Int.fetchOne(database.cachedStatement(sql: "PRAGMA busy_timeout"))
    if now != milliseconds { try? database.execute(sql: "PRAGMA busy_timeout = \(milliseconds)") }
  }

  /// GRDB's own `read` makes the connection read-only and writable again, upon which SQLite compiles every statement
  /// anew. Nobody else writes to the file, so that one look needs no transaction either.
  func read<Value>(_ body: (Database) throws -> Value) throws(StoreFailure) -> Value {
    do {
      return try queue.inDatabase(body)
    } catch {
      throw StoreFailure(error)
    }
  }

  /// How SQLite would run a query, one line per step: what guards the indices against being passed over.
  func explain(_ query: String) throws(StoreFailure) -> [String] {
    try read { database in
      let statement = try database.makeStatement(sql: "EXPLAIN QUERY PLAN \(query)")
      statement.setUncheckedArguments(StatementArguments())
      return try Row.fetchAll(statement).map { $0["detail"] }
    }
  }

  func close() throws(StoreFailure) {
    do {
      try queue.close()
    } catch {
      throw StoreFailure(error)
    }
  }

  private func outsideTransaction<Value>(_ body: (Database) throws -> Value) throws(StoreFailure) -> Value {
    do {
      return try queue.writeWithoutTransaction(body)
    } catch {
      throw StoreFailure(error)
    }
  }
}

extension Database {
  /// Runs a statement that is compiled once: what is asked every few seconds would be compiled longer than it runs.
  func executeCached(sql: String, arguments: StatementArguments = StatementArguments()) throws {
    try cachedStatement(sql: sql).execute(arguments: arguments)
  }
}
