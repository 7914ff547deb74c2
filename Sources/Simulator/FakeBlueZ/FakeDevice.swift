import BoardKit
import DBus
import FleetModel

/// A board as bluetoothd knows it: from the first advertisement until 30 s after the last sign of life.
///
///     idle ── Connect ──▶ connecting ── opened ──▶ connected ── discovered ──▶ resolved
///      ▲                      │                        │                          │
///      └── failed, cancelled ─┘                        └────── Disconnect ────────┤
///      └────────── two seconds later ────── disconnecting ◀───────────────────────┘
struct FakeDevice: Sendable {
  enum Link: Equatable, Sendable {
    case idle
    case connecting(FakeCall)
    /// The link is up; `Connect` may not have been answered yet.
    case connected(answering: FakeCall?)
    case resolved
    case disconnecting(calls: [FakeCall], wasResolved: Bool)
  }

  let address: BluetoothAddress
  var link = Link.idle
  /// `RemoveDevice` waits for the link to go.
  var isBeingRemoved = false
  private(set) var advertisement: Advertisement
  private(set) var services: Set<AttributeUUID>
  /// The number of the last report; nil once discovery has stopped.
  private(set) var heard: Int?

  init(_ address: BluetoothAddress, _ advertisement: Advertisement, heard: Int) {
    self.address = address
    self.advertisement = advertisement
    self.heard = heard
    services = [advertisement.service]
  }

  /// True from `Connected: true` on.
  var isUp: Bool {
    switch link {
    case .idle, .connecting: false
    case .connected, .resolved, .disconnecting: true
    }
  }

  /// True while the attributes can be used: from `ServicesResolved: true` until the link goes.
  var isReady: Bool {
    switch link {
    case .resolved, .disconnecting(_, wasResolved: true): true
    case .idle, .connecting, .connected, .disconnecting: false
    }
  }

  /// What the object shows when it appears.
  func properties(rssi: Int) -> [String: DBusValue] {
    var properties: [String: DBusValue] = [
      "Address": .string(address.colonSeparated), "AddressType": .string("random"),
      "Name": .string(advertisement.localName), "Alias": .string(advertisement.localName),
      "Paired": .boolean(false), "Bonded": .boolean(false), "Trusted": .boolean(false),
      "Blocked": .boolean(false), "LegacyPairing": .boolean(false), "RSSI": .int16(Int16(clamping: rssi)),
      "Connected": .boolean(false), "UUIDs": uuids,
      "ServicesResolved": .boolean(false),
    ]
    if !advertisement.manufacturerData.isEmpty { properties["ManufacturerData"] = manufacturerData }
    return properties
  }

  /// What changes because the board was heard: the signal always, the rest where it is another.
  mutating func hear(_ new: Advertisement, rssi: Int, as number: Int) -> [String: DBusValue] {
    let (old, known) = (advertisement, services)
    advertisement = new
    services.insert(new.service)
    heard = number
    var changes: [String: DBusValue] = ["RSSI": .int16(Int16(clamping: rssi))]
    if new.localName != old.localName {
      changes["Name"] = .string(new.localName)
      changes["Alias"] = .string(new.localName)
    }
    if new.manufacturerData != old.manufacturerData { changes["ManufacturerData"] = manufacturerData }
    if services != known { changes["UUIDs"] = uuids }
    return changes
  }

  /// Discovery stopped: the signal strength means nothing any more. False if it did not before.
  mutating func fallSilent() -> Bool {
    defer { heard = nil }
    return heard != nil
  }

  /// What changes because the attributes were discovered: services that are no more go.
  mutating func resolve(_ discovered: [AttributeUUID]) -> [String: DBusValue] {
    let known = services
    services = Set(discovered)
    link = .resolved
    return services == known
      ? ["ServicesResolved": .boolean(true)] : ["UUIDs": uuids, "ServicesResolved": .boolean(true)]
  }

  private var uuids: DBusValue { .strings(services.map(\.description).sorted()) }

  private var manufacturerData: DBusValue {
    var entries: [DBusValue: DBusValue] = [:]
    for (company, data) in advertisement.manufacturerData {
      entries[.uint16(company)] = .variant(.bytes(data))
    }
    return .dictionary(of: "qv", entries)
  }
}
