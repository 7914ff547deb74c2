import Foundation
import Testing

@testable import Storage

@Suite struct SQLiteFileTests {
  private let directory = StateDirectory()

  init() throws {
    try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
  }

  @Test func `F92 a file whose commits may be taken back is not opened`() {
    #expect(throws: StoreFailure.misuse("commits are not durable: synchronous is 1, journal mode wal")) {
      try SQLiteFile(path: directory.database, synchronous: .normal)
    }
  }

  @Test func `F92 a file is opened with every commit synced`() throws {
    _ = try SQLiteFile(path: directory.database)
  }

  @Test func `a sound file passes the check`() throws {
    let file = try SQLiteFile(path: directory.database)
    try Schema.current.migrate(file)
    try file.check()
  }

  @Test(arguments: [
    (OutboxQuery.waiting, "outbox_waiting"),
    (OutboxQuery.oldestWaiting, "outbox_waiting"),
    (OutboxQuery.oldestRefused, "outbox_refused"),
    (OutboxQuery.oldestRecords, "outbox_refused"),
    (OutboxQuery.earliestDelivered, "outbox_delivered"),
    (CommandQuery.recentAnonymous, "command_anonymous"),
    (CommandQuery.unfinished, "command_unfinished"),
    (CommandQuery.purge, "command_kept_until"),
  ])
  func `a query is served by its index, without a sort`(query: String, index: String) throws {
    let file = try SQLiteFile()
    try Schema.current.migrate(file)
    let plan = try file.explain(query)
    #expect(plan.contains { $0.contains(index) }, "\(plan)")
    #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
    #expect(!plan.contains { $0.hasPrefix("SCAN outbox") && !$0.contains("INDEX") }, "\(plan)")
  }
}
