public import FleetModel

/// What a radio needs more rights for than a gateway has (fault matrix, section 4, rungs 7 and 8).
public enum PrivilegedRecovery: Hashable, Sendable {
  /// Restarts the system's Bluetooth service.
  case restartBluetoothd
  /// Takes an adapter off the USB and puts it on again.
  case resetUSB(AdapterID)
}
