import FleetModel
import Foundation
import Testing

@testable import Storage

/// The store on a disk that fails at any call, or whose power is cut behind any (faults F91, F92, F97 and F103). How
/// many cuts are tried is decided by METAFLEET_POWER_CUTS, per operation.
@Suite(.timeLimit(.minutes(10))) struct PowerCutTests {
  private static var cutsPerOperation: UInt64 {
    ProcessInfo.processInfo.environment["METAFLEET_POWER_CUTS"].flatMap(UInt64.init) ?? 1
  }

  /// What SQLite asks of the disk in that scenario.
  private static let everyCall: Set<FaultyDisk.Call> = [
    .open, .access, .size, .lock, .mapShared, .lockShared, .read, .write, .sync,
  ]

  /// What the database holds before the first step and behind each, and how many operations were done by then.
  private func reference() async throws -> (
    disk: FaultyDisk, contents: [DatabaseContent], marks: [Int], directory: StateDirectory
  ) {
    let directory = try await StoreScenario.prepared()
    let disk = try FaultyDisk(directory.path)
    var contents = [try DatabaseContent(directory)]
    var marks = [0]
    let outcome = try await StoreScenario.run(in: directory) { _ in
      contents.append(try DatabaseContent(directory))
      marks.append(disk.operations.count)
    }
    #expect(outcome.failure == nil && outcome.done == StoreScenario.steps.count)
    try await outcome.store?.close()
    return (disk, contents, marks, directory)
  }

  /// What is found when a gateway starts on what is left.
  private func recovered(_ image: DiskImage) async throws -> DatabaseContent {
    let directory = try image.directory()
    // Syncs that nobody cuts off only take time.
    let disk = try FaultyDisk(directory.path)
    defer { disk.end() }
    let store = try StoreScenario.open(directory)
    #expect(store.setAside == nil)
    let content = try DatabaseContent(directory)
    try await store.close()
    return content
  }

  @Test func `F92 whenever the power is cut, what was acknowledged is there, and nothing is half there`()
    async throws
  {
    let (disk, contents, marks, _) = try await reference()
    let operations = disk.operations
    #expect(operations.count > 100)
    for cut in 0...operations.count {
      // The last step that was over by then; the next one may have got through.
      let step = marks.lastIndex { $0 <= cut } ?? 0
      let possible = contents[step...min(step + 1, contents.count - 1)]
      for seed in 0..<Self.cutsPerOperation {
        let image = DiskImage(
          disk.beginning, after: operations[..<cut],
          random: SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(cut)))
        let content = try await recovered(image)
        #expect(possible.contains(content), "behind operation \(cut), step \(step), seed \(seed): \(content)")
      }
    }
  }

  @Test
  func `F103 killed between any two operations, no row is lost, and the next start is one like any other`()
    async throws
  {
    let (disk, contents, marks, _) = try await reference()
    let operations = disk.operations
    for cut in 0...operations.count {
      let step = marks.lastIndex { $0 <= cut } ?? 0
      let possible = contents[step...min(step + 1, contents.count - 1)]
      let content = try await recovered(
        DiskImage(disk.beginning, after: operations[..<cut], random: nil))
      #expect(possible.contains(content), "behind operation \(cut), step \(step): \(content)")
    }
  }

  @Test(arguments: [false, true])
  func `F91 whichever call fails, nothing is promised behind it, and what was promised is there`(isFull: Bool)
    async throws
  {
    let (_, contents, _, _) = try await reference()
    let prepared = try await StoreScenario.prepared()
    var refused: Set<FaultyDisk.Call> = []
    for call in 0..<10_000 {
      let directory = try prepared.crashed()
      let disk = try FaultyDisk(directory.path)
      defer { disk.end() }
      disk.refuse(call, isFull: isFull)
      let (done, failure, store) = try await StoreScenario.run(in: directory)
      // The disk would do it all again; a store that does not know what lies there must not.
      if let failure, failure.isFinal, let store {
        await #expect(throws: failure, "call \(call)") { try await store.probe() }
      }
      if failure == .full, let store { try await store.probe() }
      let operations = disk.operations
      let possible = contents[done...min(done + 1, contents.count - 1)].map(\.tables["outbox"])
      for random in [nil, SeededGenerator(seed: UInt64(call))] {
        let content = try await recovered(
          DiskImage(disk.beginning, after: operations[...], random: random))
        #expect(
          possible.contains(content.tables["outbox"]),
          "call \(call), step \(done), \(String(describing: failure)): \(content)")
      }
      guard let kind = disk.refused else {
        #expect(call > 100 && failure == nil)
        #expect(refused.isSuperset(of: Self.everyCall))
        return
      }
      refused.insert(kind)
    }
    Issue.record("the calls did not come to an end")
  }

  @Test func `F97 an upgrade that is cut off is an upgrade to some version, and goes on at the next start`()
    async throws
  {
    let all = Schema.current.migrations
    let old = 3
    let schemas = try (old...all.count).map { count in
      try DatabaseContent(Self.database(of: Schema(migrations: Array(all.prefix(count))))).schema
    }
    let directory = try Self.database(of: Schema(migrations: Array(all.prefix(old))))
    let disk = try FaultyDisk(directory.path)
    try await StoreScenario.open(directory).close()
    let operations = disk.operations
    for cut in 0...operations.count {
      let random = cut % 2 == 0 ? nil : SeededGenerator(seed: UInt64(cut))
      let left = try DiskImage(disk.beginning, after: operations[..<cut], random: random).directory()
      #expect(schemas.contains(try DatabaseContent(left).schema), "behind operation \(cut)")
      let store = try StoreScenario.open(left)
      #expect(store.setAside == nil)
      let content = try DatabaseContent(left)
      #expect(content.schema == schemas.last && content.tables["counter"] == ["probe|7"])
      try await store.close()
    }
  }

  /// A directory with a database of some version, and something in it.
  private static func database(of schema: Schema) throws -> StateDirectory {
    let directory = StateDirectory()
    try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
    let file = try SQLiteFile(path: directory.database)
    try schema.migrate(file)
    try file.write { try $0.executeCached(sql: "INSERT INTO counter (name, value) VALUES ('probe', 7)") }
    try file.close()
    return directory
  }

  @Test func `F93 a disk that fails once while the database is looked at has not damaged it`() async throws {
    let prepared = try await StoreScenario.prepared()
    for call in 0..<10_000 {
      let directory = try prepared.crashed()
      let disk = try FaultyDisk(directory.path)
      defer { disk.end() }
      disk.refuse(call)
      let store: Store?
      do { store = try StoreScenario.open(directory) } catch {
        guard case StoreFailure.io = error else { throw error }
        store = nil
      }
      #expect(
        store?.setAside == nil && !directory.contents.contains { $0.contains("damaged") }, "call \(call)")
      try await store?.close()
      guard disk.refused != nil else {
        #expect(call > 20)
        return
      }
    }
  }
}
