import Foundation
import GRDB
import Testing

@testable import Storage

/// How long writes wait for a file that another program has locked.
@Suite struct LockTimeoutTests {
  private func wait(of file: SQLiteFile) throws -> Int? {
    try file.read { try Int.fetchOne($0, sql: "PRAGMA busy_timeout") }
  }

  private func fail(_ file: SQLiteFile, _ code: ResultCode) {
    #expect(throws: StoreFailure.self) { try file.write { _ in throw DatabaseError(resultCode: code) } }
  }

  @Test func `F134 behind a write that waited for a lock in vain others hardly wait, until one succeeds`()
    throws
  {
    let file = try SQLiteFile()
    fail(file, .SQLITE_BUSY)
    #expect(try wait(of: file) == SQLiteFile.shortLockTimeout)
    fail(file, .SQLITE_BUSY)
    #expect(try wait(of: file) == SQLiteFile.shortLockTimeout)
    try file.write { _ in }
    #expect(try wait(of: file) == SQLiteFile.lockTimeout)
  }

  @Test func `F134 what fails for another reason says nothing of a lock`() throws {
    let file = try SQLiteFile()
    try file.write { _ in }
    fail(file, .SQLITE_FULL)
    fail(file, .SQLITE_CONSTRAINT)
    let before = try wait(of: file)
    fail(file, .SQLITE_BUSY)
    fail(file, .SQLITE_FULL)
    #expect(try before != SQLiteFile.shortLockTimeout && wait(of: file) == SQLiteFile.shortLockTimeout)
  }

  @Test func `a write that fails leaves nothing, and one that succeeds has its result`() throws {
    let file = try SQLiteFile()
    try file.write { try $0.execute(sql: "CREATE TABLE number (value INTEGER)") }
    #expect(throws: StoreFailure.full) {
      try file.write { database in
        try database.execute(sql: "INSERT INTO number VALUES (1)")
        throw DatabaseError(resultCode: .SQLITE_FULL)
      }
    }
    let stored = try file.write { database in
      try database.execute(sql: "INSERT INTO number VALUES (2)")
      return try Int.fetchAll(database, sql: "SELECT value FROM number")
    }
    #expect(stored == [2])
  }
}
