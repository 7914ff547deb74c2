import DBus
import EventLoops
import Fleet
import FleetModel
import Simulator
import Support

@testable import SeededFaults

/// A gateway on a bus of its own, where a fake plays bluetoothd.
enum PrivateBusRig {
  static func play<Result: Sendable>(
    boards: Int, seed: UInt64, firmware: (any FirmwareSource)? = nil,
    _ prepare: @escaping @Sendable (any Hand) async throws -> Void,
    _ body: @escaping @Sendable (Rig) async -> Result
  ) async throws -> Result? {
    try await PrivateBus.with { bus in
      let (radioLoop, boardLoop) = (try EventLoop(name: "radio"), try EventLoop(name: "boards"))
      defer {
        radioLoop.stop()
        boardLoop.stop()
      }
      let hand = PrivateBusHand(
        bus: bus.address, loop: boardLoop, boards: boards, seed: seed,
        bystander: try await Bystander.join(bus.address, on: boardLoop))
      await hand.startBluetoothd()
      try await prepare(hand)
      let gateway = try BusGateway(
        on: bus.address, loop: radioLoop, store: boardLoop, boards: boards, depth: .privateBus, seed: seed,
        firmware: firmware)
      let result = await gateway.run { broker in
        await body(Rig(depth: .privateBus, broker: broker, timekeeper: gateway.timekeeper, hand: hand))
      }
      await hand.endBluetoothd(.killed)
      await hand.bystander.leave()
      return result
    }
  }
}

/// Does things to a fake bluetoothd.
actor PrivateBusHand: BusHand {
  nonisolated let bystander: Bystander
  private let bus: DBusAddress
  private let loop: EventLoop
  private let boards: Int
  private let seed: UInt64
  private var fake: FakeBlueZ?

  init(bus: DBusAddress, loop: EventLoop, boards: Int, seed: UInt64, bystander: Bystander) {
    self.bus = bus
    self.loop = loop
    self.boards = boards
    self.seed = seed
    self.bystander = bystander
  }

  func loseLink(_ board: BoardID) async { await fake?.loseLink(of: board) }

  func setInRange(_ isInRange: Bool, _ board: BoardID) async {
    await fake?.changeAir { air in
      if isInRange { air.outOfRange.remove(board.address) } else { air.outOfRange.insert(board.address) }
    }
    if !isInRange { await loseLink(board) }
  }

  func switchAdapterOff() async { await bystander.switchAdapterOff() }

  /// The fake's second adapter is there from its start in the tests that are about it (`FakeAdaptersTests`).
  func plugIn() async {}
  func pullOut() async {}

  /// The fake knows one manner only, the worse one.
  func endBluetoothd(_ manner: BluetoothdEnd) async {
    await fake?.stop()
    fake = nil
  }

  func startBluetoothd() async {
    // Ten times as fast as BlueZ and boards really are: the scenario is about order, not about waiting.
    fake = try? await FakeBlueZ.start(
      boards: GatewayParts.boards(boards, seed: seed), air: Air(seed: seed), on: bus, loop: loop, speed: 10)
  }
}
