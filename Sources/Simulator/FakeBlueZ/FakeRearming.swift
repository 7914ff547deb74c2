import BoardKit
import FleetModel

/// What bluetoothd does with the attributes that it knew before, when a device is connected again: as version 5.66 was
/// seen to over a jump into a bootloader and back.
enum FakeRearming {
  /// The services that the device is said to have: those of before where bluetoothd does not look again.
  static func services(
    of board: BluetoothAddress, on number: Int, in fake: isolated FakeBlueZ
  ) -> [AttributeService] {
    let device = fake.objects[number].path(of: board)
    let known = fake.condition(of: board).isStale ? fake.attributes.services(of: board, below: device) : nil
    return known ?? fake.boards[board]?.services ?? []
  }

  /// Before it has looked at the attributes, it subscribes anew for notify sessions that are still open: by handle, so
  /// that after a jump another characteristic is meant.
  static func rearm(_ board: BluetoothAddress, on number: Int, of fake: isolated FakeBlueZ) {
    let device = fake.objects[number].path(of: board)
    let tree = AttributeTree(of: fake.boards[board]?.services ?? [], below: device)
    for path in fake.attributes.openSessions(of: board, below: device) {
      guard let key = tree.subscription(atHandleOf: path) else { continue }
      fake.change(board) { board, now in board.subscribed(true, to: key, at: now) }
    }
  }
}
