import FleetModel
import Simulator

/// A fault script on disk.
enum FaultFile {
  /// More is no script.
  private static let largest = 1_000_000

  /// What is to happen. The failure lists every line that cannot be read (MQTT contract 8: 78).
  static func read(
    _ path: String, boards: [BluetoothAddress]
  ) throws(CommandLineFailure) -> [FaultOrder] {
    let content: [UInt8]
    do throws(FileContent.Failure) {
      content = try FileContent.read(path, atMost: largest)
    } catch {
      throw CommandLineFailure(.configuration, error.text("the fault script \(path)"))
    }
    let text = String(decoding: ByteOrderMark.dropped(from: content), as: UTF8.self)
    let script = FaultScript(text, boards: boards)
    guard script.problems.isEmpty else {
      throw CommandLineFailure(
        .configuration, script.problems.map { "\(path), \($0)" }.joined(separator: "\nmetafleet: "))
    }
    return script.orders
  }
}
