package import FleetModel

/// What tells one board from another of its model.
package struct BoardIdentity: Sendable, Equatable {
  /// A random static address.
  package let address: BluetoothAddress
  /// As device information shows it.
  package let serial: String

  /// Board `number`, from 1: `C0:FF:EE:00:` and the number as four hexadecimal digits.
  package init(number: UInt16) {
    address = BluetoothAddress(rawValue: 0xC0FF_EE00_0000 | UInt64(number))
    serial = "05" + address.compact.suffix(4).uppercased()
  }

  /// Least significant byte first, as an address travels.
  var addressBytes: [UInt8] { Array(address.rawValue.littleEndianBytes.prefix(6)) }
}
