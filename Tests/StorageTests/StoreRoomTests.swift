import Dispatch
import FleetModel
import Foundation
import Synchronization
import Testing

@testable import Storage

/// A database on a file system of 4 MiB, as far as it is told.
@Suite struct StoreRoomTests {
  private let directory = StateDirectory()

  /// A file system of 4 MiB, of which the database and whatever else lies there take their part.
  private final class Disk: Sendable {
    private let path: String
    let others = Mutex(1 << 19)
    let isReadOnly = Mutex(false)

    init(_ path: String) { self.path = path }

    var used: Int { [path, path + "-wal"].compactMap(DiskSpace.size(of:)).reduce(0, +) }
    var space: DiskSpace {
      DiskSpace(
        whole: 4 << 20, free: max(0, 4 << 20 - used - others.withLock { $0 }),
        isReadOnly: isReadOnly.withLock { $0 })
    }
  }

  /// Reads from a moment on, as somebody with a tool of his own does, until he has seen enough.
  private final class Reader: Sendable {
    private let (begun, enough, over) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )

    init(_ directory: String) throws {
      let reader = try #require(try ArchiveReader(directory: directory))
      Thread.detachNewThread { [begun, enough, over] in
        try? reader.read { database in
          _ = try LogTable.sessions(of: nil, since: nil, in: database)
          begun.signal()
          enough.wait()
        }
        over.signal()
      }
      begun.wait()
    }

    func end() {
      enough.signal()
      over.wait()
    }
  }

  private let disk: Disk

  init() { disk = Disk(directory.database) }

  private func open() throws(StoreFailure) -> Store {
    try Store(
      directory: directory.path, executor: InlineExecutor(), schema: .current,
      measure: { [disk] _ in disk.space })
  }

  private var logSize: Int { DiskSpace.size(of: directory.database + "-wal") ?? -1 }

  private static let messages = Array(
    repeating: OutboxMessage.record(String(repeating: "x", count: 10_000)), count: 3)

  @Test func `F135 the log of a small file system stays small`() async throws {
    let store = try open()
    for _ in 1...40 {
      _ = try await store.outbox.exchange(Self.messages, forDelivered: [], at: .at(0))
      #expect(logSize <= 2 * 131_072)
    }
    try await store.close()
  }

  @Test func `F135 a log that grew because of a reader is cut when the reader is gone`() async throws {
    let store = try open()
    let reader = try Reader(directory.path)
    for _ in 1...25 { _ = try await store.outbox.exchange(Self.messages, forDelivered: [], at: .at(0)) }
    #expect(logSize > 4 * 131_072)
    #expect(await store.logSize == logSize)
    reader.end()
    // The first write folds it, the second begins it anew.
    for _ in 1...2 { try await store.probe() }
    #expect(logSize <= 131_072)
    try await store.close()
  }

  @Test
  func `F137 a reader that stays does not fill the disk with the log, and all is well when it is gone`()
    async throws
  {
    let store = try open()
    let reader = try Reader(directory.path)
    let failure = await #expect(throws: StoreFailure.self) {
      while disk.used < 8 << 20 {
        _ = try await store.outbox.exchange(Self.messages, forDelivered: [], at: .at(0))
      }
    }
    #expect(failure == .full)
    let room = try await store.room
    #expect(room.owed > 0 && room.owed < disk.space.free)
    await #expect(throws: StoreFailure.full) { try await store.probe() }
    reader.end()
    try await store.probe()
    #expect(logSize <= 131_072)
    try await store.close()
  }

  @Test
  func `F94 a file system that became read-only is not written to, and said to be so; what is there is read`()
    async throws
  {
    let store = try open()
    let ids = try await store.outbox.exchange(Self.messages, forDelivered: [], at: .at(0)).rows
    disk.isReadOnly.withLock { $0 = true }
    let before = disk.used
    await #expect(throws: StoreFailure.readOnly) { try await store.probe() }
    await #expect(throws: StoreFailure.readOnly) {
      try await store.outbox.purgeDelivered(before: .at(9), maximumSize: 0)
    }
    #expect(try await store.outbox.waiting(limit: 10).map(\.id) == ids && disk.used == before)
    // Somebody mounts it writable again: the store goes on by itself.
    disk.isReadOnly.withLock { $0 = false }
    try await store.probe()
    try await store.close()
  }

  @Test func `F94 what the system says of a file system is known`() throws {
    #expect(DiskSpace.measured(at: directory.path) == nil)
    #expect(try #require(DiskSpace.measured(at: NSTemporaryDirectory())).isReadOnly == false)
    // Linux mounts this so everywhere but in some containers.
    if let kernel = DiskSpace.measured(at: "/sys/fs/cgroup"), kernel.isReadOnly {
      #expect(access("/sys/fs/cgroup", W_OK) != 0)
    }
  }

  @Test func `F137 a disk that the database itself has filled takes what makes room`() async throws {
    let store = try open()
    for _ in 1...30 { _ = try await store.outbox.exchange(Self.messages, forDelivered: [], at: .at(0)) }
    let ids = try await store.outbox.waiting(limit: 100).map(\.id)
    _ = try await store.outbox.exchange([], forDelivered: ids, at: .at(0))
    disk.others.withLock { $0 = 4 << 20 }
    await #expect(throws: StoreFailure.full) { try await store.probe() }
    #expect(try await store.outbox.purgeDelivered(before: .at(1), maximumSize: 0) == 90)
    try await store.close()
  }

  @Test func `F135 room is what the file system says, and what deleted rows left in the file`() async throws {
    let store = try open()
    await store.keepFree(1 << 20)
    for _ in 1...30 { _ = try await store.outbox.exchange(Self.messages, forDelivered: [], at: .at(0)) }
    #expect(try await !store.room.isLow)
    // Nine hundred kilobytes are left.
    disk.others.withLock { $0 = 4 << 20 - disk.used - 900_000 }
    #expect(try await store.room.isLow)
    let ids = try await store.outbox.waiting(limit: 100).map(\.id)
    _ = try await store.outbox.exchange([], forDelivered: ids, at: .at(0))
    #expect(try await store.outbox.purgeDelivered(before: .at(1), maximumSize: 0) == 90)
    let room = try await store.room
    #expect(!room.isLow, "\(room)")
    try await store.close()
  }
}
