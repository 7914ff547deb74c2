import BoardKit
import FleetModel

/// The Bluetooth address as the board itself tells it (protocol reference, section 20).
struct HardwareAddress: Hashable, Sendable {
  /// Kinds of addresses, by their number on the wire.
  enum Kind: UInt8, Sendable {
    case `public` = 0
    case randomStatic = 1
    case resolvable = 2
    case nonResolvable = 3

    /// The contract's word.
    var name: String {
      switch self {
      case .public: "public"
      case .randomStatic: "random-static"
      case .resolvable: "resolvable"
      case .nonResolvable: "non-resolvable"
      }
    }
  }

  let address: BluetoothAddress
  /// Nil where the board does not say.
  let kind: Kind?

  static let register = Register(.settings, 0x0B)
  /// Revision of the settings module from which the board tells.
  static let firstRevision: UInt8 = 2

  /// Reads the answer to a read; older firmware leaves the kind out (trap T18). Nil when it is none.
  init?(_ reply: [UInt8]) {
    guard reply.count >= 8 else { return nil }
    let hasKind = reply.count >= 9
    // Least significant byte first on the wire.
    let bytes = reply.dropFirst(hasKind ? 3 : 2).prefix(6)
    address = BluetoothAddress(rawValue: bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) })
    kind = hasKind ? Kind(rawValue: reply[2]) : nil
  }
}
