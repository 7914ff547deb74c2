import FleetModel
import Foundation
import Synchronization
import Testing

@testable import Storage

/// A database on a file system of 4 MiB, as far as it is told.
@Suite struct StoreRoomTests {
  private let directory = StateDirectory()

  /// How much is free there.
  private final class Free: Sendable {
    let bytes = Mutex(3 << 20)
    var space: DiskSpace { DiskSpace(whole: 4 << 20, free: bytes.withLock { $0 }) }
  }

  private let free = Free()

  private func open() throws(StoreFailure) -> Store {
    try Store(
      directory: directory.path, executor: InlineExecutor(), schema: .current,
      measure: { [free] _ in free.space })
  }

  private var logSize: Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: directory.database + "-wal")
    return attributes?[.size] as? Int ?? -1
  }

  private static let messages = Array(
    repeating: OutboxMessage.record(String(repeating: "x", count: 10_000)), count: 3)

  @Test("F135 the log of a small file system stays small")
  func small() async throws {
    let store = try open()
    for _ in 1...40 {
      _ = try await store.exchange(Self.messages, forDelivered: [], at: .at(0))
      #expect(logSize <= 2 * 131_072)
    }
    try await store.close()
  }

  @Test("F135 a log that grew because of a reader is cut when the reader is gone")
  func reader() throws {
    try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
    let file = try SQLiteFile(path: directory.database, logSize: 131_072)
    try Schema.current.migrate(file)
    func write() throws {
      var totals = OutboxTotals()
      _ = try file.write { try OutboxTable.append(Self.messages, to: $0, &totals) }
    }
    let reader = try #require(try ArchiveReader(directory: directory.path))
    try reader.read { database in
      _ = try LogTable.sessions(of: nil, since: nil, in: database)
      for _ in 1...40 { try write() }
    }
    #expect(logSize > 4 * 131_072)
    // The first write folds it, the second begins it anew.
    for _ in 1...2 { try write() }
    #expect(logSize <= 131_072)
    try file.close()
  }

  @Test("F135 room is what the file system says, and what deleted rows left in the file")
  func deleted() async throws {
    let store = try open()
    await store.keepFree(1 << 20)
    for _ in 1...20 { _ = try await store.exchange(Self.messages, forDelivered: [], at: .at(0)) }
    #expect(try await !store.room.isLow)
    free.bytes.withLock { $0 = 1 << 19 }
    #expect(try await store.room.isLow)
    let ids = try await store.waiting(limit: 100).map(\.id)
    _ = try await store.exchange([], forDelivered: ids, at: .at(0))
    #expect(try await store.purgeDelivered(before: .at(1), maximumSize: 0) == 60)
    #expect(try await !store.room.isLow)
    try await store.close()
  }
}
