import FleetModel

/// How BlueZ names what it shows on the bus. Written down here a second time on purpose: the fake shares nothing
/// with the client that is tested against it.
enum BlueZNames {
  static let service = "org.bluez"
  static let root = "/org/bluez"

  static let adapter = "org.bluez.Adapter1"
  static let device = "org.bluez.Device1"
  static let battery = "org.bluez.Battery1"
  static let gattService = "org.bluez.GattService1"
  static let gattCharacteristic = "org.bluez.GattCharacteristic1"
  static let gattDescriptor = "org.bluez.GattDescriptor1"

  /// `/org/bluez/hci0`
  static func path(ofAdapter number: Int) -> String { "\(root)/hci\(number)" }

  /// `dev_C0_FF_EE_00_00_01`
  static func name(of board: BluetoothAddress) -> String {
    "dev_" + board.colonSeparated.map { $0 == ":" ? "_" : String($0) }.joined()
  }

  /// Four lower-case hexadecimal digits, as in the paths of attributes.
  static func handle(_ number: UInt16) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }
}
