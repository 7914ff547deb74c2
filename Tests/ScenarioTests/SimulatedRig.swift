import BoardKit
import Fleet
import FleetModel
import MetaMotion
import Simulator
import Support
import VirtualTime

@testable import SeededFaults

/// A gateway with simulated boards in one seeded world.
struct SimulatedRig: Sendable {
  let radio: SimulatedRadio
  private let parts: GatewayParts

  init(world: SeededWorld, boards: Int, firmware: (any FirmwareSource)? = nil) throws {
    radio = SimulatedRadio(
      boards: GatewayParts.boards(boards, seed: world.seed), air: Air(seed: world.seed), timekeeper: world,
      executor: world)
    parts = try GatewayParts(
      radio: radio, boards: boards, timekeeper: world, storeExecutor: world, seed: world.seed,
      firmware: firmware)
  }

  /// Runs the gateway while `body` does something with the broker.
  func run<Result: Sendable>(_ body: @escaping @Sendable (RecordingBroker) async -> Result) async -> Result? {
    await parts.run(body)
  }
}

/// Does things to a simulated radio.
struct SimulatedHand: Hand {
  let radio: SimulatedRadio

  func loseLink(_ board: BoardID) async { await radio.loseLink(of: board) }

  func setInRange(_ isInRange: Bool, _ board: BoardID) async {
    await radio.changeAir { air in
      if isInRange { air.outOfRange.remove(board.address) } else { air.outOfRange.insert(board.address) }
    }
    if !isInRange { await loseLink(board) }
  }

  func plugIn() async { await radio.setAdapter(SimulatedAdapters.id(of: 1), .up) }
  func pullOut() async { await radio.removeAdapter(SimulatedAdapters.id(of: 1)) }

  /// This radio's adapter is switched on again by its owner.
  func switchAdapterOff() async {
    await radio.setAdapter(SimulatedRadio.adapter.id, .down)
    await radio.setAdapter(SimulatedRadio.adapter.id, .up)
  }
}
