import EventLoops
import FleetModel
import Foundation
import Testing

@testable import Storage

@Suite struct StoreTests {
  @Test func `what was said is there after reopening`() async throws {
    let directory = StateDirectory()
    let first = try directory.open()
    let ids = try await first.outbox.append([.event("one"), .reply("two")])
    #expect(try await first.births.next() == 1)
    try await first.close()

    let second = try directory.open()
    #expect(try await second.outbox.waiting(limit: 10).map(\.id) == ids.reversed())
    #expect(try await second.births.next() == 2)
    #expect(try await second.outbox.statistics().waiting.messages == 2)
    #expect(second.setAside == nil)
  }

  @Test func `what was said is there after a crash, the store never closed`() async throws {
    let directory = StateDirectory()
    let store = try directory.open()
    for number in 1...20 { _ = try await store.outbox.append([.record("\(number)")]) }
    let recovered = try directory.crashed().open()
    #expect(try await recovered.outbox.waiting(limit: 100).map(\.message.text) == (1...20).map(String.init))
    try await store.close()
  }

  @Test func `F70 a second daemon is refused the directory, and gets it when the first one ends`()
    async throws
  {
    let directory = StateDirectory()
    let first = try directory.open()
    let refusal = #expect(throws: StoreFailure.self) { try directory.open() }
    guard case .taken(let text) = refusal else { return #expect(refusal == .taken("")) }
    #expect(text.contains(directory.path))
    try await first.close()
    _ = try directory.open()
  }

  @Test func `a directory that cannot be made is refused with its name`() throws {
    let refusal = #expect(throws: StoreFailure.self) {
      try Store(directory: "/proc/metafleet", executor: InlineExecutor())
    }
    guard case .taken(let text) = refusal else { return #expect(refusal == .taken("")) }
    #expect(text.hasPrefix("the state directory /proc/metafleet cannot be created"))
  }

  @Test
  func `F100 a state directory that cannot be had leaves nothing behind, and is opened once it is there`()
    throws
  {
    let directory = StateDirectory()
    // Where the disk is to be mounted lies something else.
    try Data().write(to: URL(filePath: directory.path))
    for _ in 0..<2 {
      var isClaimed = false
      #expect(throws: StoreFailure.self) {
        try Store(directory: "\(directory.path)/state", executor: InlineExecutor()) { isClaimed = true }
      }
      #expect(!isClaimed)
    }
    try FileManager.default.removeItem(atPath: directory.path)
    var isClaimed = false
    let store = try Store(directory: "\(directory.path)/state", executor: InlineExecutor()) {
      isClaimed = true
    }
    #expect(isClaimed)
    withExtendedLifetime(store) {}
  }

  @Test func `F102 who has not got the directory claims nothing`() throws {
    let directory = StateDirectory()
    let first = try directory.open()
    var isClaimed = false
    #expect(throws: StoreFailure.self) {
      try Store(directory: directory.path, executor: InlineExecutor()) { isClaimed = true }
    }
    #expect(!isClaimed)
    withExtendedLifetime(first) {}
  }

  @Test func `the directory is for its owner alone`() throws {
    let directory = StateDirectory()
    let store = try directory.open()
    let attributes = try FileManager.default.attributesOfItem(atPath: directory.path)
    #expect(attributes[.posixPermissions] as? Int == 0o700)
    withExtendedLifetime(store) {}
  }

  @Test func `F97 a newer schema is refused and left as it is`() async throws {
    let directory = StateDirectory()
    var future = Schema.current
    future.migrations.append(("9 from the future", "CREATE TABLE future (x INTEGER)"))
    let newer = try Store(directory: directory.path, executor: InlineExecutor(), schema: future)
    _ = try await newer.outbox.append([.event("kept")])
    try await newer.close()

    #expect(throws: StoreFailure.newer("9 from the future")) { try directory.open() }
    let again = try Store(directory: directory.path, executor: InlineExecutor(), schema: future)
    #expect(try await again.outbox.waiting(limit: 1).map(\.message.text) == ["kept"])
  }

  @Test(arguments: [0, 4_096 * 3])
  func `F93 a damaged database is put aside whole and a new one begun`(offset: UInt64) async throws {
    let directory = StateDirectory()
    let store = try directory.open()
    _ = try await store.outbox.append(
      (1...50).map { .record(String(repeating: "x", count: 2_000) + "\($0)") })
    try await store.close()
    let file = try #require(FileHandle(forWritingAtPath: directory.database))
    try file.seek(toOffset: offset)
    try file.write(contentsOf: Data(repeating: 0xA5, count: 4_096))
    try file.close()

    let fresh = try directory.open()
    #expect(fresh.setAside == "\(directory.database).damaged-1")
    #expect(directory.contents.contains("metafleet.sqlite.damaged-1"))
    #expect(try await fresh.outbox.waiting(limit: 1).isEmpty)
    _ = try await fresh.outbox.append([.event("works")])
  }

  @Test func `F93 an earlier damaged database is not overwritten`() async throws {
    let directory = StateDirectory()
    for number in 1...2 {
      try await directory.open().close()
      try Data("not a database, however one looks at it".utf8).write(to: URL(filePath: directory.database))
      let store = try directory.open()
      #expect(store.setAside == "\(directory.database).damaged-\(number)")
      try await store.close()
    }
  }

  @Test func `F169 a damaged database is told of at every start until it is moved away`() async throws {
    let directory = StateDirectory()
    let fine = try directory.open()
    #expect(fine.damaged == nil)
    try await fine.close()
    try Data("not a database, however one looks at it".utf8).write(to: URL(filePath: directory.database))
    let place = "\(directory.database).damaged-1"
    for setAside in [place, nil] {
      let store = try directory.open()
      #expect(store.setAside == setAside && store.damaged == place)
      try await store.close()
    }
    try FileManager.default.removeItem(atPath: place)
    let store = try directory.open()
    #expect(store.damaged == nil)
    try await store.close()
  }

  @Test func `every call runs on the executor handed in`() async throws {
    let executor = InlineExecutor()
    let store = try Store(inMemoryOn: executor)
    let before = executor.count
    _ = try await store.births.next()
    #expect(executor.count == before + 1)
  }

  @Test func `whoever is on its loop uses it without a hop`() async throws {
    let loop = try EventLoop(name: "disk")
    let store = try Store(inMemoryOn: loop)
    let isWritten = await withCheckedContinuation { continuation in
      loop.execute { continuation.resume(returning: store.assumeIsolated { (try? $0.probe()) != nil }) }
    }
    #expect(isWritten)
    loop.stop()
  }

  @Test func `a closed store refuses, and closing twice is nothing`() async throws {
    let store = try Store.inMemory()
    try await store.close()
    try await store.close()
    await #expect(throws: StoreFailure.misuse("the database is closed")) { try await store.births.next() }
  }

  @Test func `free space is known on disk and not in memory`() async throws {
    let directory = StateDirectory()
    #expect(try #require(await directory.open().freeBytes()) > 0)
    #expect(try await Store.inMemory().freeBytes() == nil)
  }
}
