import FleetModel
import MetaMotion
import Simulator
import Storage
import Support
import Testing
import VirtualTime

@testable import Fleet
@testable import SeededFaults

/// A clock that somebody sets years ahead, and a gateway that is started anew while it stands there.
@Suite(.timeLimit(.minutes(20)), .ownThread) struct ClockAheadScenario {
  private static let years = Duration.seconds(3 * 365 * 86_400)

  /// A gateway on the store, of a computer whose clock no time service keeps; returns the history after so long.
  private static func history(
    on store: Store, by clock: SettableClock, _ world: SeededWorld, after: Duration,
    setting ahead: Duration? = nil
  ) async throws -> [HistoryEntry] {
    let radio = SimulatedRadio(
      boards: GatewayParts.boards(2, seed: 1), air: Air(seed: 1), timekeeper: world, executor: world)
    let parts = GatewayParts(
      radio: radio, configuration: try GatewayParts.configuration(boards: 2, seed: 1), timekeeper: clock,
      store: store, storeExecutor: world, seed: 1,
      reload: { () async throws(CommandFailure) in throw .invalid("no file") }, measure: { [.clockSynced: 0] }
    )
    let entries = await parts.run { _ -> [HistoryEntry] in
      try? await world.sleep(for: after)
      if let ahead {
        clock.set(ahead: ahead)
        // Something happens by the wrong clock, and is recorded.
        await radio.setService(isThere: false)
        try? await world.sleep(for: .seconds(60))
        await radio.setService(isThere: true)
        try? await world.sleep(for: .seconds(60))
      }
      return (try? await store.history.latest(limit: 500))?.entries ?? []
    }
    return entries ?? []
  }

  private static func retentionTime(of gateway: isolated Gateway) -> Timestamp {
    MaintenanceLoop.retentionTime(gateway)
  }

  @Test func `F265 before it is known what the last run believed nothing is old`() async throws {
    let world = SeededWorld(seed: 1)
    let radio = SimulatedRadio(
      boards: GatewayParts.boards(1, seed: 1), air: Air(seed: 1), timekeeper: world, executor: world)
    let parts = GatewayParts(
      radio: radio, configuration: try GatewayParts.configuration(boards: 1, seed: 1),
      timekeeper: SettableClock(world, showing: world.now + Self.years), store: try Store(inMemoryOn: world),
      storeExecutor: world, seed: 1, reload: { () async throws(CommandFailure) in throw .invalid("no file") })
    let time = world.run { await Self.retentionTime(of: parts.gateway) }
    #expect(time == Timestamp(nanoseconds: .min))
  }

  @Test func `F265 a clock that stands ahead makes nothing old, also behind a restart`() throws {
    let world = SeededWorld(seed: 1)
    let clock = SettableClock(world, showing: world.now)
    let store = try Store(inMemoryOn: world)
    let outcome = world.run(atMost: .seconds(1_200)) { () -> [[HistoryEntry]] in
      let first = try? await Self.history(
        on: store, by: clock, world, after: .seconds(120), setting: Self.years)
      let second = try? await Self.history(on: store, by: clock, world, after: .seconds(120))
      return [first ?? [], second ?? []]
    }
    let runs = try #require(outcome)
    let ahead = world.now + .seconds(86_400)
    #expect(runs[0].contains { $0.time < ahead } && runs[0].contains { $0.time > ahead })
    #expect(Set(runs[0]).isSubset(of: Set(runs[1])))
  }
}
