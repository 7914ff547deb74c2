import BoardKit
import DBus
import FleetModel

/// Which device of which adapter, by addresses: paths change when an adapter is replugged.
struct DeviceKey: Hashable, Sendable {
  let board: BoardID
  let adapter: AdapterID
}

/// What is known of an adapter. Properties of a wrong type are taken as not said.
struct AdapterObject: Hashable, Sendable {
  let path: String
  /// Nil while it has no address.
  var id: AdapterID?
  var isPowered = false
  var isDiscovering = false

  /// `hci0`.
  var name: String {
    String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
  }

  init(path: String) { self.path = path }

  mutating func update(_ properties: [String: DBusValue]) {
    if let address = properties["Address"]?.text {
      id = AdapterID(address).flatMap { $0 == .withoutAddress ? nil : $0 }
    }
    if let flag = properties["Powered"]?.flag { isPowered = flag }
    if let flag = properties["Discovering"]?.flag { isDiscovering = flag }
  }
}

/// What is known of a device.
struct DeviceObject: Hashable, Sendable {
  let path: String
  var board: BoardID?
  var adapterPath = ""
  var name: String?
  var rssi: Int?
  var services: [AttributeUUID] = []
  var isConnected = false
  /// The services of this connection are all there.
  var isResolved = false

  init(path: String) { self.path = path }

  /// What only advertisements change. Where no signal strength is known, there is no RSSI among them.
  private static let received: Set<String> = [
    "RSSI", "TxPower", "ManufacturerData", "ServiceData", "AdvertisingFlags", "AdvertisingData",
  ]

  /// Whether properties that are signalled say that the device was received just now.
  static func isReceived(_ properties: [String: DBusValue]) -> Bool {
    properties.keys.contains { received.contains($0) }
  }

  mutating func update(_ properties: [String: DBusValue], invalidated: [String] = []) {
    if let address = properties["Address"]?.text { board = BoardID(address) }
    if let path = properties["Adapter"]?.text { adapterPath = path }
    if let text = properties["Name"]?.text { name = text }
    // 127 says that it is not known (Core specification, volume 4, part E, 7.7.65.2); some controllers say 0.
    if let number = properties["RSSI"]?.integer { rssi = number == 127 || number == 0 ? nil : number }
    if let uuids = properties["UUIDs"]?.elements {
      services = uuids.compactMap(\.text).map(AttributeUUID.init)
    }
    if let flag = properties["Connected"]?.flag { isConnected = flag }
    if let flag = properties["ServicesResolved"]?.flag { isResolved = flag }
    if invalidated.contains("RSSI") { rssi = nil }
  }
}
