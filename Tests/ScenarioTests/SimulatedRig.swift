import FleetModel
import MetaMotion
import Simulator
import Support

/// A gateway with simulated boards in one seeded world.
struct SimulatedRig: Sendable {
  let radio: SimulatedRadio
  private let parts: GatewayParts

  init(world: SeededWorld, boards: Int) throws {
    radio = SimulatedRadio(
      boards: GatewayParts.boards(boards, seed: world.seed), air: Air(seed: world.seed), timekeeper: world,
      executor: world)
    parts = try GatewayParts(
      radio: radio, boards: boards, timekeeper: world, storeExecutor: world, seed: world.seed)
  }

  /// Runs the gateway while `body` does something with the broker.
  func run<Result: Sendable>(_ body: @escaping @Sendable (RecordingBroker) async -> Result) async -> Result? {
    await parts.run(body)
  }
}
