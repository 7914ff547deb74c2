import FleetModel
import Glibc
import Testing

@testable import Storage

@Suite struct EventHistoryTests {
  private static let board = BoardID(BluetoothAddress(rawValue: 0xC0FF_EE00_0001))

  private static func entry(
    _ number: Int, at second: Int64, kind: String = "button", board: BoardID? = nil, adapter: String? = nil
  ) -> HistoryEntry {
    HistoryEntry(
      time: .at(second), kind: kind, isOfGateway: board == nil, board: board, adapter: adapter,
      document: Array(#"{"number":\#(number)}"#.utf8))
  }

  /// A message that the history keeps.
  private static func message(_ entry: HistoryEntry) -> OutboxMessage {
    var message = OutboxMessage.event(String(decoding: entry.document, as: UTF8.self))
    message.history = entry
    return message
  }

  private static func record(_ entries: [HistoryEntry], in store: Store) async throws {
    _ = try await store.outbox.append(entries.map(message))
  }

  private static func seconds(_ page: EventHistory.Page) -> [Int64] {
    page.entries.map { ($0.time - .at(0)).wholeMilliseconds / 1_000 }
  }

  @Test func `what is published comes back whole, by time, and of one time in the order of publication`()
    async throws
  {
    let store = try Store.inMemory()
    let entries = [
      Self.entry(1, at: 5, board: Self.board), Self.entry(2, at: 3, kind: "adapter", adapter: "001a7dda7113"),
      Self.entry(3, at: 5),
    ]
    try await Self.record(entries, in: store)
    _ = try await store.outbox.append([.event("no history"), .reply()])
    let page = try await store.history.latest(limit: 10)
    #expect(page.entries == [entries[1], entries[0], entries[2]] && !page.hasOlder && page.end == 3)
  }

  @Test func `the latest are told, since a time, of a board, an adapter, the gateway or some kinds`()
    async throws
  {
    let store = try Store.inMemory()
    try await Self.record(
      [
        Self.entry(1, at: 1, board: Self.board), Self.entry(2, at: 2, kind: "adapter", adapter: "a"),
        Self.entry(3, at: 3, kind: "command"), Self.entry(4, at: 4, kind: "tap", board: Self.board),
      ], in: store)
    func seconds(since: Int64? = nil, limit: Int = 9, _ edit: (inout EventHistory.Choice) -> Void = { _ in })
      async throws -> [Int64]
    {
      var choice = EventHistory.Choice()
      edit(&choice)
      return Self.seconds(try await store.history.latest(choice, since: since.map { .at($0) }, limit: limit))
    }
    #expect(try await seconds() == [1, 2, 3, 4])
    #expect(try await seconds(since: 2, limit: 2) == [3, 4])
    #expect(try await seconds { $0.board = Self.board } == [1, 4])
    #expect(try await seconds { $0.adapter = "a" } == [2])
    #expect(try await seconds { $0.isOfGateway = true } == [2, 3])
    #expect(try await seconds { $0.kinds = ["tap", "command"] } == [3, 4])
    #expect(try await store.history.latest(limit: 3).hasOlder)
  }

  @Test func `F215 a flood leaves the latest, and no more rows than there may be at any moment`() async throws
  {
    let store = try Store.inMemory()
    await store.keepHistory(of: 50)
    for start in stride(from: 0, to: 1_000, by: 7) {
      try await Self.record((start..<start + 7).map { Self.entry($0, at: Int64($0)) }, in: store)
      let rows = try await store.history.latest(limit: 10_000).entries.count
      #expect(rows <= 50)
    }
    #expect(Self.seconds(try await store.history.latest(limit: 100)) == Array(951...1_000))
  }

  @Test func `F215 a limit that was lowered is reached bit by bit, and no row goes that need not`()
    async throws
  {
    let store = try Store.inMemory()
    try await Self.record((0..<1_000).map { Self.entry($0, at: Int64($0)) }, in: store)
    await store.keepHistory(of: 500)
    try await Self.record([Self.entry(1_000, at: 1_000)], in: store)
    let after = try await store.history.latest(limit: 2_000).entries.count
    #expect(after > 500 && after < 1_001)
    while try await store.history.purge(before: .at(0), now: .at(2_000), batch: 60) > 0 {}
    #expect(Self.seconds(try await store.history.latest(limit: 2_000)) == Array(501...1_000))
  }

  @Test func `F215 what is too old goes, a batch at a time`() async throws {
    let store = try Store.inMemory()
    try await Self.record((0..<10).map { Self.entry($0, at: Int64($0)) }, in: store)
    #expect(try await store.history.purge(before: .at(7), now: .at(10), batch: 4) == 4)
    #expect(try await store.history.purge(before: .at(7), now: .at(10), batch: 4) == 3)
    #expect(try await store.history.purge(before: .at(7), now: .at(10), batch: 4) == 0)
    #expect(Self.seconds(try await store.history.latest(limit: 100)) == [7, 8, 9])
  }

  @Test func `F215 what was recorded while the clock stood wrong goes with its neighbours`() async throws {
    let store = try Store.inMemory()
    // Started in 1970, and once in the future.
    var wrong = Self.entry(2, at: 0)
    wrong.time = Timestamp(milliseconds: 5_000)
    let entries = [
      Self.entry(1, at: 100), wrong, Self.entry(3, at: 900_000), Self.entry(4, at: 110),
      Self.entry(5, at: 120),
    ]
    try await Self.record(entries, in: store)
    #expect(try await store.history.purge(before: .at(50), now: .at(130)) == 0)
    #expect(try await store.history.purge(before: .at(105), now: .at(130)) == 2)
    #expect(Self.seconds(try await store.history.latest(limit: 100)) == [110, 120, 900_000])
  }

  @Test func `F216 what happened is there after a crash, with what is still to be published`() async throws {
    let directory = StateDirectory()
    let store = try directory.open()
    try await Self.record((1...20).map { Self.entry($0, at: Int64($0)) }, in: store)
    let crashed = try directory.crashed()
    let recovered = try crashed.open()
    #expect(Self.seconds(try await recovered.history.latest(limit: 100)) == Array(1...20))
    #expect(try await recovered.outbox.waiting(limit: 100).count == 20)
    try await store.close()
  }

  @Test func `F216 what was published without the disk is kept with the next transaction`() async throws {
    let store = try Store.inMemory()
    _ = try await store.outbox.exchange(
      [], forDelivered: [], recording: [Self.entry(1, at: 1)], at: .at(2))
    #expect(Self.seconds(try await store.history.latest(limit: 9)) == [1])
    #expect(try await store.outbox.waiting(limit: 9).isEmpty)
  }

  @Test func `F216 a transaction that fails keeps neither the message nor the event`() async throws {
    let store = try Store.inMemory()
    await store.rehearse(.full)
    await #expect(throws: StoreFailure.full) { try await Self.record([Self.entry(1, at: 1)], in: store) }
    await store.rehearse(nil)
    try await Self.record([Self.entry(2, at: 2)], in: store)
    let page = try await store.history.latest(limit: 9)
    #expect(Self.seconds(page) == [2] && page.end == 1)
  }

  @Test func `F219 who follows gets each event once, whatever is written at the seam`() async throws {
    let directory = StateDirectory()
    let store = try directory.open()
    let reader = try #require(try ArchiveReader(directory: directory.path))
    try await Self.record([Self.entry(1, at: 1), Self.entry(2, at: 2)], in: store)
    var page = try reader.latestEvents(EventHistory.Choice(), limit: 1)
    var seen = Self.seconds(page)
    // One that happened before the last of those, and is recorded behind it.
    try await Self.record([Self.entry(3, at: 0), Self.entry(4, at: 9)], in: store)
    for next in 5...7 {
      page = try reader.events(EventHistory.Choice(), behind: page.end)
      #expect(page.removed == 0)
      seen += Self.seconds(page)
      try await Self.record([Self.entry(next, at: Int64(next))], in: store)
    }
    seen += Self.seconds(try reader.events(EventHistory.Choice(), behind: page.end))
    #expect(seen == [2, 0, 9, 5, 6, 7])
    #expect(try reader.events(EventHistory.Choice(), behind: 7).entries == [])
    try await store.close()
  }

  @Test func `F219 who follows goes behind what he did not choose, too, and learns what went too soon`()
    async throws
  {
    let directory = StateDirectory()
    let store = try directory.open()
    let reader = try #require(try ArchiveReader(directory: directory.path))
    var choice = EventHistory.Choice()
    choice.kinds = ["tap"]
    try await Self.record([Self.entry(1, at: 1), Self.entry(2, at: 2, kind: "tap")], in: store)
    let first = try reader.events(choice, behind: 0)
    #expect(Self.seconds(first) == [2] && first.end == 2 && first.removed == 0)
    await store.keepHistory(of: 3)
    try await Self.record((3...12).map { Self.entry($0, at: Int64($0), kind: "tap") }, in: store)
    let second = try reader.events(choice, behind: first.end)
    #expect(Self.seconds(second) == [10, 11, 12] && second.removed == 7 && second.end == 12)
    try await store.close()
  }

  @Test func `F219 a database that was put aside is noticed by who follows`() async throws {
    let directory = StateDirectory()
    let store = try directory.open()
    let reader = try #require(try ArchiveReader(directory: directory.path))
    #expect(!reader.isReplaced)
    try await store.close()
    for part in ["-wal", "-shm", ""] { rename(directory.database + part, directory.database + part + ".old") }
    #expect(reader.isReplaced)
    let other = try directory.open()
    #expect(reader.isReplaced)
    try await other.close()
  }

  @Test func `adapters that events are about are known`() async throws {
    let directory = StateDirectory()
    let store = try directory.open()
    try await Self.record(
      ["b", "a", "b", nil].enumerated().map { Self.entry($0.offset, at: 1, adapter: $0.element) }, in: store)
    let reader = try #require(try ArchiveReader(directory: directory.path))
    #expect(try reader.adaptersOfEvents() == ["a", "b"])
    try await store.close()
  }

  @Test func `a state directory of the version before opens, and has a history from then on`() async throws {
    let directory = StateDirectory()
    var earlier = Schema.current
    let first = try #require(earlier.migrations.firstIndex { $0.name == "12 history of events" })
    earlier.migrations.removeSubrange(first...)
    let old = try Store(directory: directory.path, executor: InlineExecutor(), schema: earlier)
    _ = try await old.outbox.append([.event("kept")])
    try await old.close()
    let reader = try #require(try ArchiveReader(directory: directory.path))
    #expect(try reader.latestEvents(EventHistory.Choice(), limit: 9) == EventHistory.Page())
    #expect(try reader.events(EventHistory.Choice(), behind: 0).entries == [])
    #expect(try reader.adaptersOfEvents() == [])
    let store = try directory.open()
    try await Self.record([Self.entry(1, at: 1)], in: store)
    #expect(try await store.outbox.waiting(limit: 9).map(\.message.text).first == "kept")
    #expect(Self.seconds(try await store.history.latest(limit: 9)) == [1])
    try await store.close()
  }

  @Test func `names of boards that commands admitted are read without the daemon`() async throws {
    let directory = StateDirectory()
    let store = try directory.open()
    let admission = BoardAdmission(
      board: Self.board, document: Array("{}".utf8), created: .at(1), admittedBy: "command")
    _ = try await store.boards.admit(admission)
    let reader = try #require(try ArchiveReader(directory: directory.path))
    #expect(try reader.admissions() == [admission])
    try await store.close()
  }

  @Test func `what is asked with every message, and by who follows, is found by the number of rows`() throws {
    let file = try SQLiteFile()
    try Schema.current.migrate(file)
    for query in [HistoryQuery.forgetFirst, HistoryQuery.forgetOld, HistoryQuery.later] {
      let plan = try file.explain(query)
      #expect(plan.contains { $0.contains("USING") && $0.contains("PRIMARY KEY") }, "\(plan)")
    }
  }
}
