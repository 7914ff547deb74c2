import FleetModel
import Testing

@testable import Storage

@Suite struct UnsetClockTests {
  /// As the clock of a computer without a battery shows it.
  private static let then = Timestamp(milliseconds: 90_000)
  private static let step = Duration.milliseconds(1_763_671_000_000 - 90_000)

  private func message(_ text: String, at time: Timestamp) -> OutboxMessage {
    var message = OutboxMessage.record(text)
    message.created = time
    return message
  }

  @Test func `F262 what was taken without a clock is as old as it is once the clock is set`() async throws {
    let store = try Store.inMemory()
    let ids = try await store.outbox.append([
      message("delivered", at: Self.then), message("waiting", at: Self.then),
    ])
    try await store.outbox.markDelivered([ids[0]], at: Self.then)
    _ = try await store.outbox.append([message("later", at: .at(5))])
    try await store.redate(by: Self.step)
    #expect(try await store.outbox.statistics().oldest == .at(0))
    let dropped = try await store.outbox.enforceLimits(maximumSize: .max, oldest: .at(-60)) { _ in [] }
    let purged = try await store.outbox.purgeDelivered(before: .at(-60), maximumSize: .max)
    #expect(dropped.isEmpty && purged == 0)
    #expect(try await store.outbox.waiting(limit: 9).map(\.message.created) == [.at(0), .at(5)])
  }

  @Test func `F262 what was dropped without a clock went when it did`() async throws {
    let store = try Store.inMemory()
    _ = try await store.outbox.append([message("dropped", at: Self.then)])
    _ = try await store.outbox.enforceLimits(maximumSize: 0, oldest: Self.then, event: nil)
    try await store.redate(by: Self.step)
    _ = try await store.outbox.enforceLimits(maximumSize: .max, oldest: .at(-60)) { losses in
      #expect(losses.map(\.from) == [.at(0)] && losses.map(\.to) == [.at(0)])
      return []
    }
  }

  @Test func `F262 a command that was seen without a clock is not forgotten when it is set`() async throws {
    let store = try Store.inMemory()
    let entry = CommandEntry(
      key: .init(topic: "m/board/1/cmd/led", id: "a"), isAnonymous: false, payloadHash: 1,
      firstSeen: Self.then, expires: Self.then + .seconds(30), request: Array("{}".utf8), reply: [])
    _ = try await store.commands.begin(entry)
    _ = try await store.commands.finish(entry.key, reply: [1], publishing: [])
    try await store.redate(by: Self.step)
    #expect(try await store.commands.purge(now: .at(3_600)) == 0)
    #expect(try await store.commands.begin(entry) == .finished([1]))
    #expect(try await store.commands.purge(now: .at(2 * 86_400)) == 1)
  }

  @Test func `F262 the history of what happened without a clock is kept`() async throws {
    let store = try Store.inMemory()
    var event = OutboxMessage.event("{}")
    event.history = HistoryEntry(
      time: Self.then, kind: "button", isOfGateway: true, board: nil, adapter: nil, document: Array("{}".utf8)
    )
    _ = try await store.outbox.append([event])
    try await store.redate(by: Self.step)
    #expect(try await store.history.purge(before: .at(-60), now: .at(60)) == 0)
    #expect(try await store.history.latest(limit: 9).entries.map(\.time) == [.at(0)])
  }

  @Test func `F262 who asked for what without a clock is remembered as long as others`() async throws {
    let store = try Store.inMemory()
    let refused = AuditEntry(
      time: Self.then, target: .group("east"), verb: "led", id: "a", isRefusal: true,
      end: AuditEntry.End(stage: "failed", code: "denied", took: .zero))
    try await store.audit.note(refusal: refused, topic: "t")
    try await store.redate(by: Self.step)
    _ = try await store.commands.purge(now: .at(3_600))
    #expect(try await store.audit.entries(limit: 9).map(\.time) == [.at(0)])
    _ = try await store.commands.purge(now: .at(31 * 86_400))
    #expect(try await store.audit.entries(limit: 9).isEmpty)
  }

  @Test func `F262 a log without entries that began without a clock is told of as long as others`()
    async throws
  {
    let store = try Store.inMemory()
    let example = LogSession.example(1)
    let session = LogSession(
      id: example.id, board: example.board, started: Self.then, streams: [], boot: 1, resetID: 5)
    try await store.logs.begin(session)
    for tick in [1, 2] as [UInt32] {
      let reading = ClockReading(
        clock: BoardTick(resetID: 5, tick: tick), time: Self.then, error: .milliseconds(3))
      try await store.logs.add(ClockAnchor(reading, boot: 1, isHostTimeKnown: true), of: session.board)
    }
    try await store.logs.noteCleared(session.id)
    try await store.redate(by: Self.step)
    _ = try await store.logs.purge(before: .at(-60), maximumSize: .max)
    #expect(try await store.logs.sessions().map(\.started) == [.at(0)])
    let anchors = try await store.logs.clockAnchors(of: session.board)
    #expect(anchors.map(\.reading.time) == [.at(0), .at(0)])
    #expect(!anchors.contains { $0.isHostTimeKnown }, "how far off the step was nobody knows")
    _ = try await store.logs.purge(before: .at(60), maximumSize: .max)
    #expect(try await store.logs.sessions().isEmpty)
  }

  @Test func `F262 a page of a log that came without a clock stays as long as others`() async throws {
    let store = try Store.inMemory()
    let session = LogSession.example(1)
    try await store.logs.begin(session)
    try await store.logs.beginReadOut(of: session.id, expecting: 10)
    let entries = Array(repeating: UInt8(7), count: 90)
    _ = try await store.logs.append(entries, endsPage: true, to: session.id, entrySize: 9, at: Self.then)
    _ = try await store.logs.endReadOut(of: session.id, isFinished: true, received: 10)
    let message = OutboxMessage(
      MQTTMessage(topic: "t", payload: [1]), as: .event, samples: 10, created: Self.then)
    try await store.publishing.publish(
      [LogMessage(message, stream: "s", sequence: 0, gapBefore: 0)], of: session.id,
      upTo: LogCursor(position: 10))
    let row = try #require(try await store.outbox.waiting(limit: 10).last)
    _ = try await store.outbox.exchange([], forDelivered: [row.id], at: Self.then)
    try await store.logs.noteCleared(session.id)
    try await store.redate(by: Self.step)
    #expect(try await store.logs.purge(before: .at(-60), maximumSize: .max) == 0)
    #expect(try await store.logs.purge(before: .at(60), maximumSize: .max) == 1)
  }
}
