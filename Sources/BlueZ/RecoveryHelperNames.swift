/// What the privileged recovery helper is called on the bus, and what it can be asked: nothing but these two methods.
package enum RecoveryHelperNames {
  package static let service = "org.metafleet.RecoveryHelper1"
  package static let path = "/org/metafleet/RecoveryHelper1"
  package static let interface = service

  /// Switches the USB device of an adapter off and on. Takes the adapter's name, such as `hci0` ("s"), and returns
  /// nothing.
  package static let resetAdapter = "ResetAdapter"
  /// Restarts bluetoothd. Takes and returns nothing.
  package static let restartBluetoothd = "RestartBluetoothd"

  /// The same was done a short time ago; the text says how long to wait.
  package static let tooSoon = service + ".Error.TooSoon"
  /// The adapter is no USB device: one of the board's own, on a UART.
  package static let notUSB = service + ".Error.NotUSB"
  /// There is no adapter of that name.
  package static let noAdapter = service + ".Error.NoAdapter"
  /// It was tried and did not work; the text says why.
  package static let failed = service + ".Error.Failed"
}
