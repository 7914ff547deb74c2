import FleetModel
import Testing

@testable import Storage

@Suite struct LogDeletionTests {
  private let store: Store

  init() throws { store = try Store.inMemory() }

  /// A session of 1000 entries.
  private func session(
    _ number: Int64, isPublished: Bool = true, isDelivered: Bool = true, isCleared: Bool = true
  ) async throws -> LogSession {
    let session = LogSession.example(number)
    try await store.logs.begin(session)
    try await store.logs.beginReadOut(of: session.id, expecting: 1_000)
    let entries = (0..<9_000).map { UInt8(truncatingIfNeeded: $0 / 9 + Int(number)) }
    _ = try await store.logs.append(entries, endsPage: true, to: session.id, entrySize: 9, at: .at(number))
    _ = try await store.logs.endReadOut(of: session.id, isFinished: true, received: 1_000)
    if isPublished { try await publish(session.id, upTo: 1_000) }
    if isDelivered {
      let rows = try await store.outbox.waiting(limit: 10).map(\.id)
      _ = try await store.outbox.exchange([], forDelivered: rows, at: .at(number))
    }
    if isCleared { try await store.logs.noteCleared(session.id) }
    return session
  }

  private func publish(_ id: ULID, upTo position: Int) async throws {
    let message = OutboxMessage(
      MQTTMessage(topic: "t", payload: [1]), as: .event, samples: 1_000, created: .at(1))
    try await store.publishing.publish(
      [LogMessage(message, stream: "s", sequence: 0, gapBefore: 0)], of: id,
      upTo: LogCursor(position: position))
  }

  @Test func `a session that is over is deleted, entries and all`() async throws {
    let (gone, other) = (try await session(1), try await session(2))
    #expect(try await store.logDeletion.delete([gone.id], undelivered: false) == 1)
    #expect(try await store.logs.sessions().map(\.id) == [other.id])
    #expect(try await store.logDeletion.deletable().map(\.session.id) == [other.id])
    while try await store.logs.purge(before: .at(0), maximumSize: .max) > 0 {}
    #expect(try await store.publishing.pieces(of: gone.id, from: 0, limit: 9).isEmpty)
    #expect(try await store.logs.size() == 9_000)
    // Its row goes with the other traces of delivered logs.
    while try await store.logs.purge(before: .at(9), maximumSize: .max) > 0 {}
    #expect(try await store.logs.session(gone.id) == nil)
  }

  @Test(arguments: [(false, false, true), (true, false, true), (true, true, false)])
  func `F234 what was not published, not acknowledged or not cleared is not deleted`(
    isPublished: Bool, isDelivered: Bool, isCleared: Bool
  ) async throws {
    let session = try await session(
      1, isPublished: isPublished, isDelivered: isDelivered, isCleared: isCleared)
    let known = try #require(try await store.logDeletion.deletable().first)
    #expect(known.undelivered == (isDelivered ? 0 : 1_000) && known.samples == (isPublished ? 1_000 : 0))
    #expect(try await store.logDeletion.delete([session.id], undelivered: false) == 0)
    #expect(try await store.logs.sessions().map(\.id) == [session.id])
    #expect(try await store.logDeletion.delete([session.id], undelivered: true) == (isCleared ? 1 : 0))
  }

  @Test func `F234 what is read out at the moment is not deleted`() async throws {
    let session = try await session(1)
    try await store.logs.beginReadOut(of: session.id, expecting: 1)
    #expect(try await store.logDeletion.deletable().map(\.isReadOut) == [true])
    #expect(try await store.logDeletion.delete([session.id], undelivered: true) == 0)
  }

  @Test func `F236 a deleted session does not come back by whoever was publishing it`() async throws {
    let session = try await session(1, isPublished: false, isDelivered: false)
    #expect(try await store.logDeletion.delete([session.id], undelivered: true) == 1)
    try await publish(session.id, upTo: 500)
    #expect(try await store.outbox.waiting(limit: 9).isEmpty)
    #expect(try await store.publishing.unpublishedSessions().isEmpty)
    #expect(try await store.logDeletion.delete([session.id], undelivered: true) == 0)
  }

  @Test func `the board's next session goes on where a deleted one ended`() async throws {
    let (gone, next) = (LogSession.example(1), LogSession.example(2))
    try await store.logs.begin(gone)
    try await store.publishing.publish([], of: gone.id, upTo: LogCursor(position: 0, lane: [1, 2]))
    try await store.logs.noteCleared(gone.id)
    try await store.logs.begin(next)
    #expect(try await store.logDeletion.delete([gone.id], undelivered: false) == 1)
    #expect(try await store.publishing.earlierLane(of: next.id) == [1, 2])
  }

  @Test func `a board that is forgotten and kept again does not bring deleted sessions back`() async throws {
    let session = try await session(1)
    _ = try await store.logDeletion.delete([session.id], undelivered: false)
    #expect(try await store.logs.forget(.example).entries == 0)
    try await store.logs.keep(.example)
    #expect(try await store.logs.sessions().isEmpty)
  }
}
