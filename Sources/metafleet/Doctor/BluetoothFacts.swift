import DBus

/// What is so on the bus that BlueZ is on.
struct BluetoothFacts: Hashable, Sendable {
  struct Adapter: Hashable, Sendable {
    /// `hci0`.
    var name: String
    var address: String
    var isPowered: Bool
  }

  var bus: String
  /// Whether this process runs in a container, whose walls have doors of their own.
  var isContainer: Bool
  /// Why there is no connection to the bus; nil where there is one.
  var busFailure: DBusFailure?
  /// Whether `org.bluez` is on the bus.
  var isRunning = false
  /// Whether the bus would start it: the package is installed.
  var isInstalled = false
  /// Why bluetoothd does not say what it has; nil where it did, or was not asked.
  var failure: DBusFailure?
  var adapters: [Adapter] = []
  /// Addresses that the configuration names; nil = all are used.
  var wanted: [String]?
  /// Whether the recovery helper is on the bus.
  var hasHelper = false
}
