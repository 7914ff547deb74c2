import FleetModel
import Testing

@testable import Storage

@Suite struct OutboxTests {
  @Test func `replies go first, then logs and events, then records, each in order`() async throws {
    let store = try Store.inMemory()
    _ = try await store.outbox.append([.record("1"), .event("2"), .reply("3")])
    _ = try await store.outbox.append([.reply("4"), .record("5"), .event("6")])
    #expect(try await store.outbox.waiting(limit: 10).map(\.message.text) == ["3", "4", "2", "6", "1", "5"])
    #expect(try await store.outbox.waiting(limit: 3).map(\.message.text) == ["3", "4", "2"])
  }

  @Test func `a message comes back as it was given`() async throws {
    let store = try Store.inMemory()
    var message = OutboxMessage.record("{}", samples: 17, at: 9)
    message.message.payload = Array(0...255)
    message.message.properties.contentType = "application/json"
    message.message.properties.responseTopic = "there"
    message.message.properties.correlationData = [0, 255]
    message.message.properties.expiryInterval = .max
    message.message.properties.user = [.init("replay", "1"), .init("replay", "")]
    let plain = OutboxMessage.state("{}")
    let ids = try await store.outbox.append([plain, message])
    #expect(try await store.outbox.waiting(limit: 10).map(\.message) == [plain, message])
    #expect(try await store.outbox.waiting(limit: 10).map(\.id) == ids)
  }

  @Test func `what is on its way is not handed out again, and what comes after it is`() async throws {
    let store = try Store.inMemory()
    let ids = try await store.outbox.append((0..<10).map { .record("\($0)") })
    let onTheirWay = Set(ids[0..<4])
    #expect(try await store.outbox.waiting(limit: 3, excluding: onTheirWay).map(\.id) == Array(ids[4..<7]))
    #expect(try await store.outbox.waiting(limit: 100, excluding: Set(ids)).isEmpty)
  }

  @Test func `I11 only the acknowledged rows are delivered, once`() async throws {
    let store = try Store.inMemory()
    let ids = try await store.outbox.append((0..<3).map { .record("\($0)", samples: 10) })
    #expect(try await store.outbox.markDelivered([ids[1], 4_711], at: .at(1)) == 10)
    #expect(try await store.outbox.markDelivered([ids[1]], at: .at(2)) == 0)
    #expect(try await store.outbox.waiting(limit: 10).map(\.id) == [ids[0], ids[2]])
  }

  @Test func `an acknowledgement survives a restart`() async throws {
    let directory = StateDirectory()
    let store = try directory.open()
    let ids = try await store.outbox.append([.record("1"), .record("2")])
    try await store.outbox.markDelivered([ids[0]], at: .at(1))
    #expect(try await directory.crashed().open().outbox.waiting(limit: 10).map(\.id) == [ids[1]])
  }

  @Test func `of a retained topic only the newest waits, under a new id`() async throws {
    let store = try Store.inMemory()
    let first = try await store.outbox.append([.state("old"), .state("other", topic: "m/board/2/state")])
    let second = try await store.outbox.append([.state("new")])
    #expect(!first.contains(second[0]))
    #expect(try await store.outbox.waiting(limit: 10).map(\.message.text) == ["other", "new"])
    #expect(try await store.outbox.statistics().waiting.messages == 2)
  }

  @Test func `the acknowledgement of a replaced row does not acknowledge its replacement`() async throws {
    let store = try Store.inMemory()
    let old = try await store.outbox.append([.state("old")])
    let new = try await store.outbox.append([.state("new")])
    try await store.outbox.markDelivered(old, at: .at(1))
    #expect(try await store.outbox.waiting(limit: 10).map(\.id) == new)
    try await store.outbox.markDelivered(new, at: .at(2))
    #expect(try await store.outbox.waiting(limit: 10).isEmpty)
  }

  @Test func `ids are not used again after their rows are gone, also after a restart`() async throws {
    let directory = StateDirectory()
    let store = try directory.open()
    let first = try await store.outbox.append([.reply("1")])
    try await store.outbox.markDelivered(first, at: .at(1))
    let next = try await directory.crashed().open().outbox.append([.reply("2")])
    #expect(next[0] > first[0])
  }

  @Test func `F66 a refused row is parked, not handed out, and can be tried again in its old place`()
    async throws
  {
    let store = try Store.inMemory()
    let ids = try await store.outbox.append([.event("1"), .event("2")])
    try await store.outbox.markRefused([ids[0]], because: "not authorised", at: .at(1))
    #expect(try await store.outbox.waiting(limit: 10).map(\.id) == [ids[1]])
    #expect(try await store.outbox.statistics().refused.messages == 1)
    // A late acknowledgement of a refused row changes nothing.
    try await store.outbox.markDelivered([ids[0]], at: .at(2))
    try await store.outbox.retryRefused(limit: 100, at: .at(100))
    #expect(try await store.outbox.waiting(limit: 10).map(\.id) == ids)
    #expect(try await store.outbox.statistics().refused == OutboxAmount())
  }

  @Test func `a refused retained row gives way to a newer one, so that a retry brings no old state back`()
    async throws
  {
    let store = try Store.inMemory()
    let old = try await store.outbox.append([.state("old")])
    try await store.outbox.markRefused(old, because: "quota", at: .at(1))
    _ = try await store.outbox.append([.state("new")])
    try await store.outbox.retryRefused(limit: 100, at: .at(100))
    #expect(try await store.outbox.waiting(limit: 10).map(\.message.text) == ["new"])
    #expect(try await store.outbox.statistics().refused == OutboxAmount())
  }

  @Test func `F66 rows that are refused for ever keep no others from being tried again`() async throws {
    let store = try Store.inMemory()
    let ids = try await store.outbox.append([.reply("1"), .reply("2"), .event("3")])
    for (second, id) in ids.enumerated() {
      try await store.outbox.markRefused([id], because: "quota", at: .at(Int64(second)))
    }
    #expect(try await store.outbox.retryRefused(limit: 2, at: .at(100)) == 2)
    try await store.outbox.markRefused(Array(ids.prefix(2)), because: "quota", at: .at(9))
    #expect(try await store.outbox.retryRefused(limit: 1, at: .at(100)) == 1)
    #expect(try await store.outbox.waiting(limit: 10).map(\.message.text) == ["3"])
    #expect(try await store.outbox.retryRefused(limit: 10, at: .at(100)) == 2)
    #expect(try await store.outbox.retryRefused(limit: 10, at: .at(100)) == 0)
  }

  @Test func `F66 behind a clock that was set back all rows have their turn`() async throws {
    let store = try Store.inMemory()
    let ids = try await store.outbox.append([.event("1"), .event("2")])
    try await store.outbox.markRefused(ids, because: "quota", at: .at(1_000))
    for turn in 0..<2 {
      #expect(try await store.outbox.retryRefused(limit: 1, at: .at(5)) == 1)
      let row = try #require(try await store.outbox.waiting(limit: 9).first)
      #expect(row.message.text == ["1", "2"][turn])
      try await store.outbox.markRefused([row.id], because: "quota", at: .at(5))
    }
  }

  @Test func `F66 of what was refused is known how much it is, how old, and why`() async throws {
    let store = try Store.inMemory()
    let ids = try await store.outbox.append([.event("1", at: 3), .reply("2", at: 5), .event("3", at: 1)])
    try await store.outbox.markRefused([ids[1]], because: "quota exceeded", at: .at(6))
    try await store.outbox.markRefused([ids[0]], because: "not authorised", at: .at(7))
    let statistics = try await store.outbox.statistics()
    #expect(statistics.refused.messages == 2 && statistics.waiting.messages == 1)
    #expect(statistics.oldestRefused == .at(3) && statistics.refusalReason == "not authorised")
  }

  @Test func `what waits on retained topics is known by its topics`() async throws {
    let store = try Store.inMemory()
    let ids = try await store.outbox.append([.state("1"), .event("2")])
    let topic = try #require(try await store.outbox.waiting(limit: 1).first?.message.topic)
    let waiting = try await store.outbox.waitingRetainedTopics()
    #expect(waiting.map(\.topic) == [topic] && waiting.map(\.id) == [ids[0]])
    try await store.outbox.markDelivered(ids, at: .at(1))
    #expect(try await store.outbox.waitingRetainedTopics().isEmpty)
  }

  @Test func `statistics count what waits, and how old it is`() async throws {
    let store = try Store.inMemory()
    #expect(
      try await store.outbox.statistics()
        == OutboxStatistics(waiting: .init(), refused: .init(), delivered: .init()))
    let ids = try await store.outbox.append([
      .record("12345", at: 1), .event("123", at: 2), .reply("1", at: 3),
    ])
    let sizes = try await store.outbox.waiting(limit: 10).map {
      $0.message.topic.utf8.count + $0.message.payload.count
    }
    var statistics = try await store.outbox.statistics()
    #expect(statistics.waiting == OutboxAmount(messages: 3, bytes: sizes.reduce(0, +)))
    #expect(statistics.oldest == .at(1))
    try await store.outbox.markDelivered([ids[0]], at: .at(4))
    statistics = try await store.outbox.statistics()
    #expect(statistics.waiting.messages == 2)
    #expect(statistics.delivered.messages == 1)
    #expect(statistics.oldest == .at(2))
  }
}
