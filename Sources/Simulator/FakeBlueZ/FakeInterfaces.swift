import BoardKit
import DBus
import FleetModel

/// The interfaces of attributes: what they show, and whom their methods ask.
enum FakeInterfaces {
  static func interface(
    of object: AttributeTree.Object, _ board: BluetoothAddress, _ device: String, mtu: UInt16,
    for fake: FakeBlueZ
  ) -> DBusInterface {
    switch object.kind {
    case .service:
      return DBusInterface(
        BlueZNames.gattService,
        properties: [
          "UUID": .string(object.uuid.description), "Device": .objectPath(device),
          "Primary": .boolean(true), "Includes": .array(of: "o", []),
        ])
    case .characteristic(let key, let properties, let service):
      return DBusInterface(
        BlueZNames.gattCharacteristic, properties: shown(key, properties, service, mtu: mtu),
        methods: methods(of: key, board, for: fake))
    case .descriptor(let characteristic):
      return DBusInterface(
        BlueZNames.gattDescriptor,
        properties: [
          "UUID": .string(object.uuid.description), "Characteristic": .objectPath(characteristic),
          "Value": .bytes([]),
        ],
        methods: [
          fake.method("ReadValue", takes: "a{sv}", gives: "ay") { fake, invocation in
            guard fake.isReady(board) else { return invocation.fail(.notConnected) }
            let isOn = fake.attributes.isNotifying(at: characteristic, of: board)
            invocation.reply([.bytes([isOn ? 1 : 0, 0])])
          },
          // Clients subscribe through the characteristic.
          DBusMethod("WriteValue", takes: "aya{sv}") { $0.fail(.descriptorWriteRefused) },
        ])
    }
  }

  private static func shown(
    _ key: Characteristic, _ properties: AttributeProperties, _ service: String, mtu: UInt16
  ) -> [String: DBusValue] {
    let flags: [(AttributeProperties, String)] = [
      (.read, "read"), (.writeWithoutResponse, "write-without-response"), (.write, "write"),
      (.notify, "notify"), (.indicate, "indicate"),
    ]
    var shown: [String: DBusValue] = [
      "UUID": .string(key.uuid.description), "Service": .objectPath(service), "Value": .bytes([]),
      "Flags": .strings(flags.filter { properties.contains($0.0) }.map(\.1)), "MTU": .uint16(mtu),
    ]
    if !properties.isDisjoint(with: [.notify, .indicate]) { shown["Notifying"] = .boolean(false) }
    if properties.contains(.notify) { shown["NotifyAcquired"] = .boolean(false) }
    if properties.contains(.writeWithoutResponse) { shown["WriteAcquired"] = .boolean(false) }
    return shown
  }

  private static func methods(
    of key: Characteristic, _ board: BluetoothAddress, for fake: FakeBlueZ
  ) -> [DBusMethod] {
    [
      fake.method("ReadValue", takes: "a{sv}", gives: "ay") {
        $0.attributes.readValue(key, of: board, $1, in: $0)
      },
      fake.method("WriteValue", takes: "aya{sv}") { $0.attributes.writeValue(key, of: board, $1, in: $0) },
      fake.method("AcquireWrite", takes: "a{sv}", gives: "hq") {
        $0.attributes.acquireWrite(key, of: board, isReady: $0.isReady(board), $1, for: $0)
      },
      fake.method("AcquireNotify", takes: "a{sv}", gives: "hq") {
        $0.attributes.acquireNotify(key, of: board, isReady: $0.isReady(board), $1, for: $0)
      },
      fake.method("StartNotify") {
        $0.attributes.startNotify(key, of: board, isReady: $0.isReady(board), $1)
      },
      fake.method("StopNotify") { $0.attributes.stopNotify(key, of: board, $1) },
    ]
  }
}
