import FleetModel
import Storage
import Testing

@Suite struct LogPublishingTests {
  private static func message(_ sequence: Int, samples: Int = 10, gap: Int = 0) -> LogMessage {
    LogMessage(
      OutboxMessage(
        MQTTMessage(topic: "m/board/c0ffee000001/log/s", payload: [1]), as: .event, samples: samples,
        created: .at(1)),
      stream: "s", sequence: sequence, gapBefore: gap)
  }

  /// A session with so many entries.
  private static func session(_ entries: Int, in store: Store) async throws -> LogSession {
    let session = LogSession.example()
    try await store.logs.begin(session)
    try await store.logs.beginReadOut(of: session.id, expecting: entries)
    _ = try await store.logs.append(
      (0..<entries).map { UInt8(truncatingIfNeeded: $0) }, endsPage: true, to: session.id, entrySize: 1,
      at: .at(0))
    return try await store.logs.endReadOut(of: session.id, isFinished: true, received: entries)
  }

  @Test func `F32 a crash leaves batches and cursor, or neither`() async throws {
    let directory = StateDirectory()
    let store = try directory.open()
    let session = try await Self.session(30, in: store)
    let before = try directory.crashed()
    try await store.publishing.publish(
      [Self.message(0)], of: session.id, upTo: LogCursor(position: 10, lane: [7]))
    let after = try directory.crashed()
    let old = try before.open()
    #expect(try await old.publishing.cursor(of: session.id) == LogCursor())
    #expect(try await old.outbox.waiting(limit: 9).isEmpty)
    let new = try after.open()
    #expect(try await new.publishing.cursor(of: session.id) == LogCursor(position: 10, lane: [7]))
    #expect(try await new.outbox.waiting(limit: 9).count == 1)
    #expect(try await new.publishing.unpublishedSessions().map(\.id) == [session.id])
  }

  @Test func `batches of a session that is not there go nowhere`() async throws {
    let store = try Store.inMemory()
    await #expect(throws: StoreFailure.self) {
      try await store.publishing.publish(
        [Self.message(0)], of: LogSession.example().id, upTo: LogCursor(position: 1))
    }
    #expect(try await store.outbox.waiting(limit: 9).isEmpty)
    #expect(try await store.outbox.statistics().waiting.messages == 0)
  }

  @Test func `delivered is what the broker acknowledged, by session`() async throws {
    let store = try Store.inMemory()
    let session = try await Self.session(20, in: store)
    #expect(try await store.logs.undelivered(of: session.id) == 20)
    try await store.publishing.publish(
      [Self.message(0), Self.message(10)], of: session.id, upTo: LogCursor(position: 20))
    #expect(try await store.publishing.unpublishedSessions().isEmpty)
    #expect(try await store.publishing.waitingBatches() == 2)
    let rows = try await store.outbox.waiting(limit: 9)
    _ = try await store.outbox.exchange([], forDelivered: [rows[0].id], at: .at(2))
    #expect(try await store.logs.undelivered(of: session.id) == 10)
    // Refused is not delivered.
    try await store.outbox.markRefused([rows[1].id], because: "no", at: .at(2))
    #expect(try await store.logs.undelivered(of: session.id) == 10)
    try await store.outbox.retryRefused(limit: 9, at: .at(100))
    _ = try await store.outbox.exchange([], forDelivered: [rows[1].id], at: .at(3))
    #expect(try await store.logs.undelivered(of: session.id) == 0)
    #expect(try await store.publishing.waitingBatches() == 0)
  }

  @Test func `whoever only looks sees the same while the store is open`() async throws {
    let directory = StateDirectory()
    let store = try directory.open()
    let session = try await Self.session(20, in: store)
    try await store.logs.noteGap(
      of: session.id, stream: "s", from: .at(1), to: .at(2), count: 3, reason: "radio")
    try await store.publishing.publish(
      [Self.message(0, gap: 3), Self.message(10, samples: 5)], of: session.id, upTo: LogCursor(position: 20))
    let row = try #require(try await store.outbox.waiting(limit: 9).first)
    _ = try await store.outbox.exchange([], forDelivered: [row.id], at: .at(2))
    let reader = try #require(try ArchiveReader(directory: directory.path))
    #expect(try reader.hasArchive())
    #expect(try reader.sessions() == [session])
    let ledger = try reader.ledger(of: session)
    #expect(ledger.published == 20)
    #expect(ledger.archived == 20)
    let account = try #require(ledger.accounts["s"])
    #expect(account.published == 15 && account.delivered == 10 && account.waiting == 5)
    #expect(account.lost == 3 && !account.isBroken)
    #expect(try reader.gaps(of: session.id) == (try await store.logs.gaps(of: session.id)))
    #expect(try reader.pieces(of: session.id, from: 0, limit: 9).map(\.count) == [20])
  }

  @Test func `a look does not write, and an empty directory holds nothing`() throws {
    #expect(try ArchiveReader(directory: StateDirectory().path) == nil)
    #expect(
      throws: StoreFailure.taken("/dev/null/metafleet.sqlite cannot be read: Not a directory")
    ) { try ArchiveReader(directory: "/dev/null") }
  }
}
