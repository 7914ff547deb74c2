import DBus
import EventLoops
import Fleet
import FleetModel
import Glibc
import Simulator
import Support

@testable import SeededFaults

/// A gateway in the BlueZ laboratory: a real kernel, a real bluetoothd, and the simulator's boards on the air.
enum LabRig {
  /// There is one adapter, and one bluetoothd that remembers: one scenario at a time (`--no-parallel`).
  static func play<Result: Sendable>(
    boards: Int, seed: UInt64, firmware: (any FirmwareSource)? = nil,
    _ prepare: @escaping @Sendable (any Hand) async throws -> Void,
    onLink: (@Sendable (BoardID, Bool) -> Void)? = nil, _ body: @escaping @Sendable (Rig) async -> Result
  ) async throws -> Result? {
    let (radioLoop, boardLoop) = (try EventLoop(name: "radio"), try EventLoop(name: "boards"))
    let controlLoop = try EventLoop(name: "control")
    defer { for loop in [radioLoop, boardLoop, controlLoop] { loop.stop() } }
    let path = getenv("BLUEZ_LAB_BOARD_SOCKET").map { String(cString: $0) } ?? ""
    let socket = try await LabSocket.start(
      boards: GatewayParts.boards(boards, seed: seed), at: path, loop: boardLoop, onLink: onLink)
    let hand = LabHand(
      control: LabControl(on: controlLoop), socket: socket,
      bystander: try await Bystander.join(.system, on: boardLoop))
    try await prepare(hand)
    let gateway = try BusGateway(
      on: .system, loop: radioLoop, store: boardLoop, boards: boards, depth: .lab, seed: seed,
      firmware: firmware)
    let result = await gateway.run { broker in
      await body(Rig(depth: .lab, broker: broker, timekeeper: gateway.timekeeper, hand: hand))
    }
    await socket.stop()
    await hand.bystander.forgetBoards()
    await hand.bystander.leave()
    return result
  }
}

/// Does things to the laboratory.
struct LabHand: BusHand {
  let control: LabControl
  let socket: LabSocket
  let bystander: Bystander

  func loseLink(_ board: BoardID) async { await socket.loseLink(of: board) }
  func setInRange(_ isInRange: Bool, _ board: BoardID) async { await socket.setInRange(isInRange, board) }
  func switchAdapterOff() async { await bystander.switchAdapterOff() }
  func plugIn() async { await control.run("adapter", "add", "1") }
  func pullOut() async { await control.run("adapter", "remove", "1") }

  func endBluetoothd(_ manner: BluetoothdEnd) async {
    switch manner {
    case .killed: await control.run("kill-bluetoothd")
    case .stopped: await control.run("stop-bluetoothd")
    }
  }

  func startBluetoothd() async { await control.run("start-bluetoothd") }
}
