import FleetModel
import Storage
import Testing

@Suite struct CommandLedgerTests {
  private let directory = StateDirectory()
  private let store: Store

  init() throws { store = try directory.open() }

  private func entry(
    _ id: String = "a", topic: String = "m/board/1/cmd/led", anonymous: Bool = false, hash: UInt64 = .max,
    at second: Int64 = 0, expires: Int64 = 30
  ) -> CommandEntry {
    CommandEntry(
      key: .init(topic: topic, id: id), isAnonymous: anonymous, payloadHash: hash, firstSeen: .at(second),
      expires: .at(expires), request: Array("{}".utf8), reply: Array("accepted".utf8))
  }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test
  func `F81 a repeat gets the latest stage while it runs and the final answer after, also after a restart`()
    async throws
  {
    let key = entry().key
    #expect(try await store.commands.begin(entry(), publishing: [.reply("accepted")]) == .fresh)
    #expect(
      try await store.commands.begin(entry(), publishing: [.reply("again")]) == .running(bytes("accepted")))
    try await store.commands.advance(key, reply: bytes("queued"))
    #expect(try await store.commands.begin(entry()) == .running(bytes("queued")))
    try await store.commands.markSent(key, reply: bytes("sent"))
    #expect(try await store.commands.begin(entry()) == .running(bytes("sent")))
    #expect(try await store.commands.finish(key, reply: bytes("done"), publishing: [.reply("done")]))
    #expect(try await store.commands.begin(entry()) == .finished(bytes("done")))

    let restarted = try directory.crashed().open()
    #expect(try await restarted.commands.begin(entry()) == .finished(bytes("done")))
    #expect(try await restarted.outbox.waiting(limit: 10).map(\.message.text) == ["accepted", "done"])
  }

  @Test func `F81 the same key with another payload is a mismatch, another topic is another command`()
    async throws
  {
    _ = try await store.commands.begin(entry(hash: 1))
    #expect(try await store.commands.begin(entry(hash: 2)) == .mismatch)
    #expect(try await store.commands.begin(entry(topic: "m/board/2/cmd/led", hash: 2)) == .fresh)
    #expect(try await store.commands.begin(entry(hash: 1)) == .running(bytes("accepted")))
  }

  @Test func `I7 there is one final answer, and only its messages go out`() async throws {
    _ = try await store.commands.begin(entry())
    #expect(try await store.commands.finish(entry().key, reply: bytes("done"), publishing: [.reply("done")]))
    #expect(
      try await store.commands.finish(entry().key, reply: bytes("failed"), publishing: [.reply("failed")])
        == false)
    try await store.commands.advance(entry().key, reply: bytes("late"), publishing: [.reply("late")])
    #expect(try await store.commands.begin(entry()) == .finished(bytes("done")))
    #expect(try await store.outbox.waiting(limit: 10).map(\.message.text) == ["done"])
    #expect(
      try await store.commands.finish(entry("unknown").key, reply: [], publishing: [.reply("x")]) == false)
  }

  @Test func `F82 what a crash left open is listed with whether it went to a radio`() async throws {
    _ = try await store.commands.begin(entry("waiting", at: 1))
    _ = try await store.commands.begin(entry("sent", at: 2))
    _ = try await store.commands.begin(entry("done", at: 3))
    try await store.commands.markSent(entry("sent").key, reply: bytes("sent"))
    _ = try await store.commands.finish(entry("done").key, reply: bytes("done"), publishing: [])

    let open = try await directory.crashed().open().commands.unfinished()
    #expect(open.map(\.entry.key.id) == ["waiting", "sent"])
    #expect(open.map(\.wasSent) == [false, true])
    #expect(open[0].entry == entry("waiting", at: 1))
    #expect(open[1].entry.reply == bytes("sent"))
  }

  @Test func `ids are remembered for 24 h, and to their expiry if that is later`() async throws {
    let day: Int64 = 24 * 3600
    _ = try await store.commands.begin(entry("short", expires: 30))
    _ = try await store.commands.begin(entry("long", expires: 3 * day))
    _ = try await store.commands.begin(entry("open", expires: 30))
    _ = try await store.commands.finish(entry("short").key, reply: bytes("1"), publishing: [])
    _ = try await store.commands.finish(entry("long").key, reply: bytes("2"), publishing: [])

    #expect(try await store.commands.purge(now: .at(day)) == 0)
    #expect(try await store.commands.purge(now: .at(day + 1)) == 1)
    #expect(try await store.commands.begin(entry("long")) == .finished(bytes("2")))
    #expect(try await store.commands.purge(now: .at(3 * day + 1)) == 1)
    // I7: one without its final answer is never forgotten.
    #expect(try await store.commands.unfinished().map(\.entry.key.id) == ["open"])
  }

  @Test func `a request without an id is recognised by topic, payload and time`() async throws {
    _ = try await store.commands.begin(entry("01A", anonymous: true, hash: 7, at: 100))
    let topic = entry().key.topic
    #expect(
      try await store.commands.recentAnonymous(topic: topic, payloadHash: 7, since: .at(100))
        == .running(bytes("accepted")))
    #expect(try await store.commands.recentAnonymous(topic: topic, payloadHash: 7, since: .at(101)) == nil)
    #expect(try await store.commands.recentAnonymous(topic: topic, payloadHash: 8, since: .at(0)) == nil)
    #expect(try await store.commands.recentAnonymous(topic: "other", payloadHash: 7, since: .at(0)) == nil)
    _ = try await store.commands.finish(entry("01A").key, reply: bytes("done"), publishing: [])
    #expect(
      try await store.commands.recentAnonymous(topic: topic, payloadHash: 7, since: .at(0))
        == .finished(bytes("done"))
    )
  }

  @Test func `a request with an id is no precedent for one without`() async throws {
    _ = try await store.commands.begin(entry(hash: 7))
    #expect(
      try await store.commands.recentAnonymous(topic: entry().key.topic, payloadHash: 7, since: .at(0)) == nil
    )
  }
}
