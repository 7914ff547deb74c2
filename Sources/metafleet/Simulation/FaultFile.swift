import FleetModel
import Foundation
import Simulator

/// A fault script on disk.
enum FaultFile {
  /// More is no script.
  private static let largest = 1 << 20

  /// What is to happen. The failure lists every line that cannot be read (MQTT contract 8: 78).
  static func read(
    _ path: String, boards: [BluetoothAddress]
  ) throws(CommandLineFailure) -> [FaultOrder] {
    guard let content = FileManager.default.contents(atPath: path), content.count <= largest else {
      throw CommandLineFailure(.configuration, "the script \(path) cannot be read")
    }
    let script = FaultScript(String(decoding: content, as: UTF8.self), boards: boards)
    guard script.problems.isEmpty else {
      throw CommandLineFailure(
        .configuration, script.problems.map { "\(path), \($0)" }.joined(separator: "\nmetafleet: "))
    }
    return script.orders
  }
}
