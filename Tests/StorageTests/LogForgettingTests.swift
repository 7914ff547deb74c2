import FleetModel
import Storage
import Testing

/// What a board logged goes with the board when its operator says so, and not before the broker has it (invariant I12).
@Suite struct LogForgettingTests {
  private static let other = BoardID("c0ffee000002")

  /// A session of so many entries of nine bytes, whose board may still hold them.
  private static func session(_ number: Int64, of board: BoardID = .example, in store: Store) async throws
    -> LogSession
  {
    let session = LogSession.example(number, board: board)
    try await store.logs.begin(session)
    try await store.logs.beginReadOut(of: session.id, expecting: 1_000)
    let entries = (0..<9_000).map { UInt8(truncatingIfNeeded: $0 / 9 + Int(number)) }
    _ = try await store.logs.append(entries, endsPage: true, to: session.id, entrySize: 9, at: .at(number))
    let reading = ClockReading(clock: BoardTick(resetID: 1, tick: 2), time: .at(1), error: .milliseconds(3))
    try await store.logs.add(ClockAnchor(reading, boot: 4, isHostTimeKnown: true), of: board)
    return try await store.logs.endReadOut(of: session.id, isFinished: true, received: 1_000)
  }

  private static func publish(_ session: LogSession, in store: Store) async throws {
    let message = OutboxMessage(
      MQTTMessage(topic: "t", payload: [1]), as: .event, samples: 1_000, created: .at(1))
    try await store.publishing.publish(
      [LogMessage(message, stream: "s", sequence: 0, gapBefore: 0)], of: session.id,
      upTo: LogCursor(position: 1_000))
  }

  private static func deliver(in store: Store) async throws {
    let rows = try await store.outbox.waiting(limit: 100)
    _ = try await store.outbox.exchange([], forDelivered: rows.map(\.id), at: .at(9))
  }

  /// Purges as the gateway does, with an archive that has room for ever.
  private static func purge(_ store: Store) async throws {
    while try await store.logs.purge(before: .at(0), maximumSize: .max, batch: 1) > 0 {}
  }

  @Test func `what was delivered goes at once with the readings of its clock, others' stays`() async throws {
    let store = try Store.inMemory()
    let other = try #require(Self.other)
    for board in [BoardID.example, other] {
      let session = try await Self.session(board == other ? 2 : 1, of: board, in: store)
      try await Self.publish(session, in: store)
    }
    try await Self.deliver(in: store)
    let left = try await store.logs.forget(.example)
    #expect(left.entries == 1_000 && left.undelivered == 0)
    try await Self.purge(store)
    #expect(try await store.logs.sessions().map(\.board) == [other])
    #expect(try await store.logs.size() == 9_000)
    #expect(try await store.logs.clockAnchors(of: .example).isEmpty)
    #expect(try await store.logs.clockAnchors(of: other).count == 1)
  }

  @Test func `what was not delivered stays until it is, whatever restarts`() async throws {
    let directory = StateDirectory()
    var store = try directory.open()
    let session = try await Self.session(1, in: store)
    let left = try await store.logs.forget(.example)
    #expect(left.entries == 1_000 && left.undelivered == 1_000)
    try await Self.purge(store)
    var copy = try directory.crashed()
    store = try copy.open()
    #expect(try await store.publishing.unpublishedSessions().map(\.id) == [session.id])
    try await Self.publish(session, in: store)
    try await Self.purge(store)
    copy = try copy.crashed()
    store = try copy.open()
    #expect(try await store.publishing.pieces(of: session.id, from: 0, limit: 9).count == 2)
    try await Self.deliver(in: store)
    try await Self.purge(store)
    #expect(try await store.logs.sessions().isEmpty)
    #expect(try await store.logs.clockAnchors(of: .example).isEmpty)
  }

  @Test func `a gap that no event tells yet keeps its session`() async throws {
    let store = try Store.inMemory()
    let session = try await Self.session(1, in: store)
    try await Self.publish(session, in: store)
    try await Self.deliver(in: store)
    try await store.logs.noteGap(of: session.id, count: -1, reason: "discarded")
    _ = try await store.logs.forget(.example)
    try await Self.purge(store)
    let untold = try await store.publishing.unpublishedGaps()
    #expect(untold.map(\.session) == [session.id])
    try await store.publishing.publishGap([], of: try #require(untold.first).gap.id)
    try await Self.purge(store)
    #expect(try await store.logs.sessions().isEmpty)
  }

  @Test func `of a board that is back everything is kept again`() async throws {
    let store = try Store.inMemory()
    let session = try await Self.session(1, in: store)
    _ = try await store.logs.forget(.example)
    try await store.logs.keep(.example)
    try await Self.publish(session, in: store)
    try await Self.deliver(in: store)
    try await Self.purge(store)
    #expect(try await store.logs.sessions().map(\.id) == [session.id])
  }

  @Test func `a board that logged nothing leaves nothing`() async throws {
    let store = try Store.inMemory()
    let left = try await store.logs.forget(.example)
    #expect(left.entries == 0 && left.undelivered == 0)
  }
}
