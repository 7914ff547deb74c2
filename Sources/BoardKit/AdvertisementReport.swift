public import FleetModel

/// One advertisement of a board as an adapter heard it. Text from the air is not trusted.
public struct AdvertisementReport: Hashable, Sendable {
  /// Who was heard.
  public var board: BoardID
  /// Which adapter heard it.
  public var adapter: AdapterID
  /// Advertised local name, as received.
  public var name: String?
  /// Received signal strength in dBm.
  public var rssi: Int?
  /// Services advertised.
  public var services: [AttributeUUID]
  /// When.
  public var time: Timestamp

  /// The name, where a display shows something of it.
  public var visibleName: String? { name.flatMap { PrintableText.isVisible($0) ? $0 : nil } }

  /// Describes what was heard.
  public init(
    board: BoardID, adapter: AdapterID, name: String?, rssi: Int?, services: [AttributeUUID], time: Timestamp
  ) {
    self.board = board
    self.adapter = adapter
    self.name = name
    self.rssi = rssi
    self.services = services
    self.time = time
  }
}
