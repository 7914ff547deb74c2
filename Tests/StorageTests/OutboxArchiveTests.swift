import FleetModel
import Storage
import Testing

@Suite struct OutboxArchiveTests {
  private let store: Store

  init() throws { store = try Store.inMemory() }

  @Test func `F67 delivered records, logs and events stay for a replay; replies and retained state do not`()
    async throws
  {
    let ids = try await store.outbox.append([
      .record("1", at: 1), .event("2", at: 2), .reply("3", at: 3), .state("4", at: 3),
    ])
    try await store.outbox.markDelivered(ids, at: .at(5))
    #expect(
      try await store.outbox.delivered(madeIn: .at(0)..<(.at(9)), limit: 10).map(\.message.text) == [
        "1", "2",
      ])
    #expect(try await store.outbox.statistics().delivered.messages == 2)
  }

  @Test func `a replay reads by the time of making, page by page`() async throws {
    let ids = try await store.outbox.append((0..<10).map { .record("\($0)", at: $0) })
    try await store.outbox.markDelivered(ids, at: .at(20))
    let first = try await store.outbox.delivered(madeIn: .at(2)..<(.at(8)), limit: 4)
    #expect(first.map(\.message.text) == ["2", "3", "4", "5"])
    let rest = try await store.outbox.delivered(madeIn: .at(2)..<(.at(8)), after: first[3].id, limit: 4)
    #expect(rest.map(\.message.text) == ["6", "7"])
  }

  @Test func `the window counts from delivery`() async throws {
    let ids = try await store.outbox.append([.record("1", at: 1), .record("2", at: 1)])
    try await store.outbox.markDelivered([ids[0]], at: .at(10))
    try await store.outbox.markDelivered([ids[1]], at: .at(20))
    #expect(try await store.outbox.purgeDelivered(before: .at(15), maximumSize: .max) == 1)
    #expect(
      try await store.outbox.delivered(madeIn: .at(0)..<(.at(9)), limit: 10).map(\.message.text) == ["2"])
  }

  @Test func `over its size the archive loses its earliest, in bounded steps`() async throws {
    let ids = try await store.outbox.append((0..<10).map { .record("\($0)", at: $0) })
    try await store.outbox.markDelivered(ids, at: .at(20))
    let half = try await store.outbox.statistics().delivered.bytes / 2
    #expect(try await store.outbox.purgeDelivered(before: .at(0), maximumSize: half, batch: 3) == 3)
    #expect(try await store.outbox.purgeDelivered(before: .at(0), maximumSize: half, batch: 3) == 2)
    #expect(try await store.outbox.purgeDelivered(before: .at(0), maximumSize: half, batch: 3) == 0)
    #expect(
      try await store.outbox.delivered(madeIn: .at(0)..<(.at(99)), limit: 10).map(\.id)
        == Array(ids.suffix(5)))
  }

  @Test func `what waits or is refused is never purged`() async throws {
    let ids = try await store.outbox.append([.record("1"), .record("2")])
    try await store.outbox.markRefused([ids[0]], because: "no", at: .at(1))
    #expect(try await store.outbox.purgeDelivered(before: .at(1_000), maximumSize: 0) == 0)
    #expect(try await store.outbox.waiting(limit: 10).map(\.id) == [ids[1]])
  }
}
