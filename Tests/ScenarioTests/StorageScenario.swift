import FleetModel
import Simulator
import Storage
import Support
import Testing
import VirtualTime

@testable import Fleet
@testable import SeededFaults

/// The condition of the gateway's disk lasts as long as it is so, and no longer.
@Suite(.timeLimit(.minutes(20))) struct StorageScenario {
  @Test func `F138 a page of a log that was refused leaves no condition behind once there is room`() throws {
    let world = SeededWorld(seed: 1)
    let configuration = try GatewayParts.configuration(boards: 1, seed: 1)
    let outcome = world.run(atMost: .seconds(600)) { () -> [StorageCondition] in
      guard let store = try? Store(inMemoryOn: world) else { return [] }
      let boards = GatewayParts.boards(1, seed: 1)
      let radio = SimulatedRadio(boards: boards, air: Air(seed: 1), timekeeper: world, executor: world)
      let parts = GatewayParts(
        radio: radio, configuration: configuration, timekeeper: world, store: store, storeExecutor: world,
        seed: 1)
      return await parts.run { _ in
        var seen: [StorageCondition] = []
        try? await world.sleep(for: .seconds(20))
        await store.rehearse(.low)
        await parts.gateway.stored(.log(of: BoardID(boards[0].address)), .low)
        try? await world.sleep(for: .seconds(60))
        seen.append(await parts.gateway.storage.condition)
        await store.rehearse(nil)
        try? await world.sleep(for: .seconds(31))
        seen.append(await parts.gateway.storage.condition)
        return seen
      } ?? []
    }
    #expect(outcome == [.low, .fine])
  }
}
