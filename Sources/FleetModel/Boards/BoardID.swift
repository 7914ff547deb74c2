/// Names something by its Bluetooth address.
public protocol BluetoothIdentity: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The address.
  var address: BluetoothAddress { get }

  /// Names what is at `address`.
  init(_ address: BluetoothAddress)
}

extension BluetoothIdentity {
  /// Reads an address with or without colons, in any case.
  public init?(_ text: some StringProtocol) {
    guard let address = BluetoothAddress(text) else { return nil }
    self.init(address)
  }

  /// Twelve lower-case hexadecimal digits: the form in topics.
  public var description: String { address.compact }

  /// Orders by number.
  public static func < (left: Self, right: Self) -> Bool { left.address < right.address }
}

/// Who a board is: its Bluetooth address. Names, sites and gateways may change; this does not.
public struct BoardID: BluetoothIdentity {
  /// The board's address.
  public let address: BluetoothAddress

  /// Names the board at `address`.
  public init(_ address: BluetoothAddress) { self.address = address }
}

/// Which Bluetooth adapter: its own address, because `hci0` may be `hci1` after a replug.
public struct AdapterID: BluetoothIdentity {
  /// The adapter's address.
  public let address: BluetoothAddress

  /// What stands for adapters that have no address, `00:00:00:00:00:00`: they are named and not used.
  public static let withoutAddress = AdapterID(BluetoothAddress(rawValue: 0))

  /// Names the adapter at `address`.
  public init(_ address: BluetoothAddress) { self.address = address }
}
