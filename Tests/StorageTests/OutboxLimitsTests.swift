import FleetModel
import Testing

@testable import Storage

@Suite struct OutboxLimitsTests {
  private let store: Store

  init() throws { store = try Store.inMemory() }

  @Test func `within its limits nothing is dropped and nothing told`() async throws {
    _ = try await store.outbox.append([.record(at: 1), .event(at: 1)])
    let dropped = try await store.outbox.enforceLimits(maximumSize: 1_000, oldest: .at(1)) { _ in
      Issue.record("nothing to tell")
      return []
    }
    #expect(dropped.isEmpty)
  }

  @Test func `I13 the oldest records go, replies, logs and events never`() async throws {
    let text = String(repeating: "x", count: 100)
    _ = try await store.outbox.append([.reply(text), .event(text), .state(text)])
    let ids = try await store.outbox.append((1...10).map { .record(text, at: $0) })
    let size = try await store.outbox.waiting(limit: 100).filter { ids.contains($0.id) }.reduce(0) {
      $0 + $1.message.topic.utf8.count + $1.message.payload.count
    }
    let total = try await store.outbox.statistics().waiting.bytes
    let dropped = try await store.outbox.enforceLimits(maximumSize: total - size / 2, oldest: .at(0)) { _ in
      []
    }
    #expect(dropped.map(\.messages) == [5])
    #expect(try await store.outbox.waiting(limit: 100).map(\.id).suffix(5) == ids.suffix(5))
    _ = try await store.outbox.enforceLimits(maximumSize: 0, oldest: .at(0)) { _ in [] }
    #expect(
      try await store.outbox.waiting(limit: 100).map(\.message.deliveryClass) == [.state, .state, .event])
  }

  @Test func `I12 the loss is told per topic in the same transaction`() async throws {
    let directory = StateDirectory()
    let store = try directory.open()
    _ = try await store.outbox.append([
      .record(topic: "a", samples: 1, at: 1), .record(topic: "b", samples: 10, at: 2),
      .record(topic: "a", samples: 2, at: 3),
    ])
    let dropped = try await store.outbox.enforceLimits(maximumSize: 0, oldest: .at(0)) { loss in
      loss.map { .event("\($0.topic) \($0.samples)", at: 4) }
    }
    #expect(
      dropped == [
        DroppedRecords(topic: "a", messages: 2, samples: 3, from: .at(1), to: .at(3)),
        DroppedRecords(topic: "b", messages: 1, samples: 10, from: .at(2), to: .at(2)),
      ])
    #expect(
      try await directory.crashed().open().outbox.waiting(limit: 10).map(\.message.text) == ["a 3", "b 10"])
  }

  @Test func `F297 what went while nobody heard it is one sum a topic, and said once, whatever crashes`()
    async throws
  {
    let directory = StateDirectory()
    let store = try directory.open()
    for second in 1...3 as ClosedRange<Int64> {
      _ = try await store.outbox.append([
        .record(topic: "a", samples: 2, at: second), .record(topic: "b", samples: 10, at: second),
      ])
      let dropped = try await store.outbox.enforceLimits(maximumSize: 0, oldest: .at(0), event: nil)
      #expect(dropped.map(\.samples) == [2, 10], "each time what went just now")
    }
    #expect(try await store.outbox.statistics().waiting == OutboxAmount())
    let reopened = try directory.crashed()
    let next = try reopened.open()
    _ = try await next.outbox.enforceLimits(maximumSize: 0, oldest: .at(0)) { losses in
      losses.map {
        .event("\($0.topic) \($0.messages) \($0.samples) \(($0.to - $0.from).wholeMilliseconds)", at: 4)
      }
    }
    _ = try await next.outbox.enforceLimits(maximumSize: .max, oldest: .at(0)) { losses in
      losses.map { .event("again \($0.topic)", at: 5) }
    }
    #expect(
      try await reopened.crashed().open().outbox.waiting(limit: 10).map(\.message.text) == [
        "a 3 6 2000", "b 3 30 2000",
      ])
  }

  @Test func `records that are too old go, whatever their size`() async throws {
    let ids = try await store.outbox.append([.record(at: 1), .record(at: 2), .record(at: 3)])
    let dropped = try await store.outbox.enforceLimits(maximumSize: .max, oldest: .at(3)) { _ in [] }
    #expect(dropped.map(\.messages) == [2])
    #expect(try await store.outbox.waiting(limit: 10).map(\.id) == [ids[2]])
  }

  @Test func `rows on their way are exempt`() async throws {
    let ids = try await store.outbox.append([.record(at: 1), .record(at: 2), .record(at: 3)])
    let dropped = try await store.outbox.enforceLimits(
      maximumSize: 0, oldest: .at(0), sparing: [ids[0], ids[2]]
    ) { _ in [] }
    #expect(dropped.map(\.messages) == [1])
    #expect(try await store.outbox.waiting(limit: 10).map(\.id) == [ids[0], ids[2]])
  }

  @Test func `refused records count and go too`() async throws {
    let ids = try await store.outbox.append([.record(at: 1), .record(at: 2)])
    try await store.outbox.markRefused([ids[1]], because: "no", at: .at(2))
    _ = try await store.outbox.enforceLimits(maximumSize: 0, oldest: .at(0)) { _ in [] }
    #expect(try await store.outbox.statistics().refused == OutboxAmount())
  }

  @Test func `a mountain is worn down in bounded steps`() async throws {
    _ = try await store.outbox.append((0..<25).map { .record(at: $0) })
    var steps: [Int] = []
    while let dropped = try await store.outbox.enforceLimits(
      maximumSize: 0, oldest: .at(0), limit: 10, event: { _ in [] }
    ).first {
      steps.append(dropped.messages)
    }
    #expect(steps == [10, 10, 5])
  }
}
