import BoardKit
import Fleet
import FleetModel
import Simulator
import Support
import Testing
import VirtualTime

@testable import SeededFaults

/// A gateway, its boards and its broker, at some depth.
struct Rig: Sendable {
  let depth: Depth
  let broker: RecordingBroker
  let timekeeper: any Timekeeper
  let hand: any Hand

  /// Plays `body` at `depth` with `boards` boards. `prepare` comes before the gateway. Returns nil when it never ended.
  static func play<Result: Sendable>(
    at depth: Depth, boards: Int, seed: UInt64 = 1, firmware: (any FirmwareSource)? = nil,
    prepare: @escaping @Sendable (any Hand) async throws -> Void = { _ in },
    _ body: @escaping @Sendable (Rig) async -> Result
  ) async throws -> Result? {
    switch depth {
    case .simulated:
      let world = SeededWorld(seed: seed)
      let parts = try SimulatedRig(world: world, boards: boards, firmware: firmware)
      return world.run {
        await parts.run { broker in
          await body(
            Rig(depth: depth, broker: broker, timekeeper: world, hand: SimulatedHand(radio: parts.radio)))
        }
      } ?? nil
    case .privateBus:
      return try await PrivateBusRig.play(boards: boards, seed: seed, firmware: firmware, prepare, body)
    case .lab:
      return try await LabRig.play(boards: boards, seed: seed, firmware: firmware, prepare, body)
    }
  }
}

extension Rig {
  /// The same where there is a bus; `body` has the hand for it.
  static func play<Result: Sendable>(
    onBusAt depth: Depth, boards: Int,
    prepare: @escaping @Sendable (any BusHand) async throws -> Void = { _ in },
    _ body: @escaping @Sendable (Rig, any BusHand) async -> Result
  ) async throws -> Result? {
    try await play(
      at: depth, boards: boards,
      prepare: { hand in if let hand = hand as? any BusHand { try await prepare(hand) } },
      { (rig: Rig) -> Result? in
        guard let hand = rig.hand as? any BusHand else { return nil }
        return await body(rig, hand)
      }) ?? nil
  }

  /// The boards, in order.
  static func boards(_ count: Int) -> [BoardID] {
    GatewayParts.boards(count, seed: 1).map { BoardID($0.address) }
  }
}
