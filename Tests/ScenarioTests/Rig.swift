import BlueZ
import BoardKit
import DBus
import EventLoops
import FleetModel
import MetaMotion
import Simulator
import Support
import Testing

/// Where a scenario plays: the same body on simulated links in virtual time, and over a real D-Bus against a fake
/// `org.bluez`.
enum Depth: String, CaseIterable, CustomTestStringConvertible, Sendable {
  case simulated, privateBus
  var testDescription: String { rawValue }
}

/// A gateway, its boards and its broker, at some depth.
struct Rig: Sendable {
  let broker: RecordingBroker
  let timekeeper: any Timekeeper
  /// Breaks the link of a board as radio trouble would.
  let loseLink: @Sendable (BoardID) async -> Void

  /// Plays `body` at `depth` with `boards` boards. Returns nil when it never ended.
  static func play<Result: Sendable>(
    at depth: Depth, boards: Int, seed: UInt64 = 1, _ body: @escaping @Sendable (Rig) async -> Result
  ) async throws -> Result? {
    switch depth {
    case .simulated:
      let world = SeededWorld(seed: seed)
      let parts = try SimulatedRig(world: world, boards: boards)
      return world.run {
        await parts.run { broker in
          await body(
            Rig(broker: broker, timekeeper: world, loseLink: { await parts.radio.loseLink(of: $0) }))
        }
      } ?? nil
    case .privateBus:
      return try await PrivateBus.with { bus in
        let (radioLoop, boardLoop) = (try EventLoop(name: "radio"), try EventLoop(name: "boards"))
        defer {
          radioLoop.stop()
          boardLoop.stop()
        }
        // Ten times as fast as BlueZ and boards really are: the scenario is about order, not about waiting.
        let fake = try await FakeBlueZ.start(
          boards: GatewayParts.boards(boards, seed: seed), air: Air(seed: seed), on: bus.address,
          loop: boardLoop,
          speed: 10)
        let family = MetaMotionFamily.descriptor
        let timekeeper = LoopTimekeeper(loop: radioLoop)
        let radio = BlueZRadio(
          BlueZSetup(services: family.advertisedServices, characteristics: family.requiredCharacteristics),
          on: radioLoop, address: bus.address, timekeeper: timekeeper)
        let parts = try GatewayParts(
          radio: radio, boards: boards, timekeeper: timekeeper, storeExecutor: boardLoop, seed: seed)
        let result = await parts.run { broker in
          await body(Rig(broker: broker, timekeeper: timekeeper, loseLink: { await fake.loseLink(of: $0) }))
        }
        await fake.stop()
        return result
      }
    }
  }
}
