import DBus
import FleetModel

/// Names a call of a client that waits for its answer.
struct FakeCall: Hashable, Sendable { let number: Int }

/// What an adapter has decided and somebody has to carry out, in order.
enum FakeAction: Equatable, Sendable {
  case reply(FakeCall)
  case fail(FakeCall, DBusFailure)
  /// The call is never answered.
  case forsake(FakeCall)
  case adapterChanged([String: DBusValue])
  case deviceAppeared(BluetoothAddress, [String: DBusValue])
  case deviceChanged(BluetoothAddress, [String: DBusValue], invalidated: [String] = [])
  /// With everything below it.
  case deviceRemoved(BluetoothAddress)
  case linkOpened(BluetoothAddress)
  case linkClosed(BluetoothAddress)
  /// Services, characteristics and descriptors are known now.
  case attributesDiscovered(BluetoothAddress)
  case batteryRemoved(BluetoothAddress)
}
