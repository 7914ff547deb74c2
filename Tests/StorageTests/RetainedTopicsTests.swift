import FleetModel
import Storage
import Testing

@Suite struct RetainedTopicsTests {
  @Test func `a retained topic is listed once, delivered or not`() async throws {
    let store = try Store.inMemory()
    let ids = try await store.outbox.append([
      .state("one"), .state("two"), .state("x", topic: "m/board/2/state"), .event("no"),
    ])
    try await store.outbox.markDelivered(ids, at: .at(1))
    #expect(try await store.outbox.retainedTopics() == ["m/board/1/state", "m/board/2/state"])
  }

  @Test func `a cleared topic is not listed, and the clearing itself waits for the broker`() async throws {
    let store = try Store.inMemory()
    _ = try await store.outbox.append([.state("one")])
    _ = try await store.outbox.append([.state("")])
    #expect(try await store.outbox.retainedTopics().isEmpty)
    #expect(try await store.outbox.waiting(limit: 10).map(\.message.payload) == [[]])
  }
}
