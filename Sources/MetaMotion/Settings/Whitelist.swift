import BoardKit
import FleetModel

/// Whom the board lets near (protocol reference, section 20).
enum Whitelist {
  enum Filter: UInt8, Sendable, CaseIterable { case any = 0, scan, connect, both }

  static let firstRevision: UInt8 = 6
  private static let filter = Register(.settings, 0x13)
  static let entry = Register(.settings, 0x14)
  /// Entries that filter; number 0 is the host of directed advertising.
  static let entries = 1...8

  static func set(_ mode: Filter) -> [UInt8] { filter.write(mode.rawValue) }

  static func set(_ entry: UInt8, to address: BluetoothAddress, _ kind: HardwareAddress.Kind) -> [UInt8] {
    let bytes = (0..<6).map { UInt8(truncatingIfNeeded: address.rawValue >> (8 * UInt64($0))) }
    return Self.entry.write([entry, kind.rawValue] + bytes)
  }

  /// From the answer to a read of `entry`; nil when it is none.
  static func address(_ reply: [UInt8], of entry: UInt8) -> (BluetoothAddress, HardwareAddress.Kind?)? {
    guard reply.count >= 10, reply[2] == entry else { return nil }
    let raw = reply[4..<10].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return (BluetoothAddress(rawValue: raw), HardwareAddress.Kind(rawValue: reply[3]))
  }
}
