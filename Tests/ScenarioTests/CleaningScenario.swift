import FleetModel
import Simulator
import Storage
import Support
import Testing
import VirtualTime

@testable import SeededFaults

/// What need not be kept any longer goes.
@Suite(.timeLimit(.minutes(20))) struct CleaningScenario {
  @Test func `all that is due leaves the outbox at once, be it thousands of messages`() throws {
    let world = SeededWorld(seed: 1)
    let configuration = try GatewayParts.configuration(boards: 1, seed: 1)
    let left = world.run(atMost: .seconds(600)) { () -> Int? in
      guard let store = try? Store(inMemoryOn: world) else { return nil }
      let old = world.now - configuration.storage.replay - .seconds(60)
      let messages = (0..<2_500).map {
        OutboxMessage(MQTTMessage(topic: "old/\($0)", payload: [1]), as: .record, created: old)
      }
      _ = try? await store.outbox.exchange(messages, forDelivered: [], at: old)
      guard let rows = try? await store.outbox.waiting(limit: 2_500) else { return nil }
      _ = try? await store.outbox.exchange([], forDelivered: rows.map(\.id), at: old)
      let radio = SimulatedRadio(
        boards: GatewayParts.boards(1, seed: 1), air: Air(seed: 1), timekeeper: world, executor: world)
      let parts = GatewayParts(
        radio: radio, configuration: configuration, timekeeper: world, store: store, storeExecutor: world,
        seed: 1)
      _ = await parts.run { _ in try? await world.sleep(for: .seconds(20)) }
      return try? await store.outbox.delivered(madeIn: old..<(old + .seconds(1)), limit: 2_500).count
    }
    #expect(try #require(left ?? nil) == 0)
  }
}
