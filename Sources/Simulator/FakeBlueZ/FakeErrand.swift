import FleetModel

/// What falls due at a fake adapter at some time.
enum FakeErrand: Hashable, Sendable {
  case report(BluetoothAddress)
  case open(BluetoothAddress)
  case refuse(BluetoothAddress)
  case giveUp(BluetoothAddress)
  case answer(BluetoothAddress)
  case resolve(BluetoothAddress)
  case close(BluetoothAddress)
  case lose(BluetoothAddress)
  case forget(BluetoothAddress)
}
