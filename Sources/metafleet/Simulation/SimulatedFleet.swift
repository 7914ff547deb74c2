import FleetModel
import Simulator

/// Boards without hardware, dealt out as the demo and the simulator do (MQTT contract 8).
struct SimulatedFleet: Sendable {
  /// Boards are told apart by four hex digits.
  static let most = 65_535

  /// Model of each board, in the order of their numbers.
  let models: [BoardModel]
  let seed: UInt64

  /// `count` boards, their models taken in turn from a list such as `s,rl`.
  init(count: Int, models list: String, seed: UInt64) throws(CommandLineFailure) {
    guard (1...Self.most).contains(count) else {
      throw CommandLineFailure(.usage, "there can be 1 to \(Self.most) boards, not \(count)")
    }
    var dealt: [BoardModel] = []
    for key in list.split(separator: ",", omittingEmptySubsequences: false) {
      let name = key.filter { $0 != " " }.lowercased()
      guard let model = BoardModel(key: name) else {
        let known = BoardModel.all.map(\.key).joined(separator: ", ")
        throw CommandLineFailure(.usage, "there is no model \(quoted(String(key))); there are \(known)")
      }
      dealt.append(model)
    }
    models = (0..<count).map { dealt[$0 % dealt.count] }
    self.seed = seed
  }

  /// The address of board `number`, from 1.
  static func address(of number: Int) -> BluetoothAddress {
    BoardIdentity(number: UInt16(clamping: number)).address
  }

  /// The boards, switched on. Each has a seed of its own that follows from the fleet's.
  func boards() -> [any SimulatedBoard] {
    var seeds = FleetModel.SeededGenerator(seed: seed)
    return models.enumerated().map { index, model in
      MetaMotionBoard(
        Firmware(
          model: model, identity: BoardIdentity(number: UInt16(clamping: index + 1)), seed: seeds.next()))
    }
  }
}
