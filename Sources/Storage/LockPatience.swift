internal import GRDB
import Synchronization

/// How long writes of a file wait for another program that has locked it. Calls are served one after the other: if each
/// waited for as long as the first, the last of ten had its answer ten seconds later. So once one has waited in vain,
/// those behind it hardly wait, until one succeeds.
final class LockPatience: Sendable {
  /// What a write waits at most, in milliseconds.
  static let usual = 1_000
  /// The same as long as the lock is known to stay, in milliseconds.
  static let short = 20

  private let isShort = Mutex(false)

  /// Runs a write on its connection, and notes whether it found the file locked.
  func write<Value>(on database: Database, _ body: () throws -> Value) throws -> Value {
    do {
      let value = try body()
      wait(briefly: false, database)
      return value
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      wait(briefly: true, database)
      throw error
    }
  }

  private func wait(briefly: Bool, _ database: Database) {
    let changes = isShort.withLock { isShort in
      defer { isShort = briefly }
      return isShort != briefly
    }
    // What was committed stays so, and a statement that sets a number in memory does not fail.
    if changes { try? database.execute(sql: "PRAGMA busy_timeout = \(briefly ? Self.short : Self.usual)") }
  }
}
