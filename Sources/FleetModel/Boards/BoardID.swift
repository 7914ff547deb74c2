/// Who a board is: its Bluetooth address. Names, sites and gateways may change; this does not.
public struct BoardID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The board's address.
  public let address: BluetoothAddress

  /// Names the board at `address`.
  public init(_ address: BluetoothAddress) { self.address = address }

  /// Reads an address with or without colons, in any case.
  public init?(_ text: some StringProtocol) {
    guard let address = BluetoothAddress(text) else { return nil }
    self.address = address
  }

  /// Twelve lower-case hexadecimal digits: the form in topics.
  public var description: String { address.compact }

  /// Orders by number.
  public static func < (left: BoardID, right: BoardID) -> Bool { left.address < right.address }
}

/// Which Bluetooth adapter: its own address, because `hci0` may be `hci1` after a replug.
public struct AdapterID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The adapter's address.
  public let address: BluetoothAddress

  /// What stands for adapters that have no address, `00:00:00:00:00:00`: they are named and not used.
  public static let withoutAddress = AdapterID(BluetoothAddress(rawValue: 0))

  /// Names the adapter at `address`.
  public init(_ address: BluetoothAddress) { self.address = address }

  /// Reads an address with or without colons, in any case.
  public init?(_ text: some StringProtocol) {
    guard let address = BluetoothAddress(text) else { return nil }
    self.address = address
  }

  /// Twelve lower-case hexadecimal digits: the form in topics.
  public var description: String { address.compact }

  /// Orders by number.
  public static func < (left: AdapterID, right: AdapterID) -> Bool { left.address < right.address }
}
