/// What BlueZ calls things on the bus.
enum BlueZNames {
  static let service = "org.bluez"
  static let objectManager = "org.freedesktop.DBus.ObjectManager"
  static let properties = "org.freedesktop.DBus.Properties"

  static let adapter = "org.bluez.Adapter1"
  static let device = "org.bluez.Device1"
  static let gattService = "org.bluez.GattService1"
  static let gattCharacteristic = "org.bluez.GattCharacteristic1"

  /// Below it is everything BlueZ exports.
  static let root = "/org/bluez"
}
