import BoardKit
import FleetModel

/// Notifications that are held back on their way. Those of one board keep their order.
struct LateNotifications: Sendable {
  private var queue: [(due: Duration, value: [UInt8], key: Characteristic, board: BluetoothAddress)] = []

  func isAnyOnItsWay(from board: BluetoothAddress) -> Bool { queue.contains { $0.board == board } }

  mutating func add(
    _ value: [UInt8], of key: Characteristic, from board: BluetoothAddress, at time: Duration
  ) {
    let due = max(time, queue.last { $0.board == board }?.due ?? time)
    queue.insert((due, value, key, board), at: queue.firstIndex { $0.due > due } ?? queue.endIndex)
  }

  var next: Duration? { queue.first?.due }

  mutating func popDue(
    at now: Duration
  ) -> (value: [UInt8], key: Characteristic, board: BluetoothAddress)? {
    guard let first = queue.first, first.due <= now else { return nil }
    queue.removeFirst()
    return (first.value, first.key, first.board)
  }

  /// The link is gone, and what was on it.
  mutating func drop(from board: BluetoothAddress) { queue.removeAll { $0.board == board } }
}
