import BoardKit
import DBus
import FleetModel
import Testing

@testable import BlueZ

private let hci0 = AdapterID(BluetoothAddress(rawValue: 0x001A_7DDA_7113))
private let hci1 = AdapterID(BluetoothAddress(rawValue: 0x001A_7DDA_7114))
private let boardID = BoardID(BluetoothAddress(rawValue: 0xC0FF_EE00_0001))
private let key = DeviceKey(board: boardID, adapter: hci0)
private let adapterPath = "/org/bluez/hci0"
private let devicePath = "/org/bluez/hci0/dev_C0_FF_EE_00_00_01"
private let characteristicPath = devicePath + "/service0010/char0011"

private func adapter(_ id: AdapterID, powered: Bool = true) -> DBusValue {
  .properties(["Address": .string(id.address.colonSeparated), "Powered": .boolean(powered)])
}

private func device(
  on adapter: String = adapterPath, _ more: [String: DBusValue] = ["RSSI": .int16(-60)]
) -> [String: DBusValue] {
  [
    "Address": .string("C0:FF:EE:00:00:01"), "Adapter": .objectPath(adapter), "Name": .string("MetaWear"),
    "Connected": .boolean(false), "ServicesResolved": .boolean(false),
    "UUIDs": .strings(["326A9000-85CB-9195-D9DD-464CFBBAE75A"]),
  ].merging(more) { $1 }
}

private func interfaces(_ interfaces: [String: DBusValue]) -> DBusValue {
  .dictionary(of: "sa{sv}", Dictionary(uniqueKeysWithValues: interfaces.map { (.string($0), $1) }))
}

private func listing(_ objects: [String: DBusValue]) -> DBusValue {
  .dictionary(of: "oa{sa{sv}}", Dictionary(uniqueKeysWithValues: objects.map { (.objectPath($0), $1) }))
}

private func added(_ path: String, _ content: [String: DBusValue]) -> DBusSignal {
  DBusSignal("/", BlueZNames.objectManager, "InterfacesAdded", [.objectPath(path), interfaces(content)])
}

private func removed(_ path: String, _ names: String...) -> DBusSignal {
  DBusSignal("/", BlueZNames.objectManager, "InterfacesRemoved", [.objectPath(path), .strings(names)])
}

private func changed(
  _ path: String, _ interface: String, _ values: [String: DBusValue], invalidated: [String] = []
) -> DBusSignal {
  DBusSignal(
    path, BlueZNames.properties, "PropertiesChanged",
    [.string(interface), .properties(values), .strings(invalidated)])
}

/// An adapter and a device that was there before.
private func start(_ more: [String: DBusValue] = [:]) -> BlueZTree {
  var tree = BlueZTree()
  _ = tree.replace(
    with: listing([
      adapterPath: interfaces([BlueZNames.adapter: adapter(hci0)]),
      devicePath: interfaces([BlueZNames.device: .properties(device(more))]),
    ]))
  return tree
}

private func presentDevices(_ more: [String: DBusValue], on adapters: Set<AdapterID>? = nil)
  -> [PresentDevice]
{
  start(more).presentDevices(on: adapters, at: Timestamp(milliseconds: 7))
}

private func addAttributes(to tree: inout BlueZTree) {
  _ = tree.apply(
    added(
      devicePath + "/service0010",
      [
        BlueZNames.gattService: .properties([
          "UUID": .string(ScriptedBoard.service.description), "Device": .objectPath(devicePath),
        ])
      ]))
  _ = tree.apply(
    added(
      characteristicPath,
      [
        BlueZNames.gattCharacteristic: .properties([
          "UUID": .string(ScriptedBoard.notify.uuid.description),
          "Service": .objectPath(devicePath + "/service0010"),
        ])
      ]))
}

@Suite struct BlueZTreeTests {
  @Test func `what was received lately or is connected is present, and nothing else`() {
    let heardNow: [String: DBusValue] = ["RSSI": .int16(-60)]
    let heard = presentDevices(heardNow)
    #expect(heard.map(\.report.rssi) == [-60] && heard.map(\.isConnected) == [false])
    #expect(heard.map(\.report.name) == ["MetaWear"] && heard.map(\.report.adapter) == [hci0])
    let connected = presentDevices(["Connected": .boolean(true)])
    #expect(connected.map(\.isConnected) == [true] && connected.map(\.report.rssi) == [nil])
    // BlueZ remembers it, and has not received it for long; 127 says so.
    #expect(presentDevices(["RSSI": .int16(127)]).isEmpty)
    #expect(presentDevices(heardNow, on: [hci1]).isEmpty && presentDevices(heardNow, on: [hci0]).count == 1)
  }

  @Test func `what was there before is known but not advertised`() {
    var tree = BlueZTree()
    let changes = tree.replace(
      with: listing([
        adapterPath: interfaces([BlueZNames.adapter: adapter(hci0)]),
        devicePath: interfaces([BlueZNames.device: .properties(device())]),
      ]))
    #expect(Set(changes) == [.adapter(hci0), .device(key)])
    #expect(tree.device(key)?.services == [ScriptedBoard.service])
    #expect(tree.adapter(hci0)?.name == "hci0")
  }

  @Test func `F09 a device that BlueZ holds connected when we come is reported so`() {
    var tree = BlueZTree()
    let changes = tree.replace(
      with: listing([
        adapterPath: interfaces([BlueZNames.adapter: adapter(hci0)]),
        devicePath: interfaces([BlueZNames.device: .properties(device(["Connected": .boolean(true)]))]),
      ]))
    #expect(changes.contains(.connection(key, isConnected: true)))
  }

  @Test func `discovered devices and fresh signal strength are advertisements`() {
    var tree = start()
    #expect(
      tree.apply(changed(devicePath, BlueZNames.device, ["RSSI": .int16(-70)])) == [
        .device(key), .advertised(key),
      ])
    #expect(tree.device(key)?.rssi == -70)
    // The same value again is a new advertisement.
    #expect(
      tree.apply(changed(devicePath, BlueZNames.device, ["RSSI": .int16(-70)])).contains(.advertised(key)))
    _ = tree.apply(removed(devicePath, BlueZNames.device))
    #expect(
      tree.apply(added(devicePath, [BlueZNames.device: .properties(device())])) == [
        .device(key), .advertised(key),
      ])
  }

  @Test func `F172 a device that appears without a signal strength was received, too`() {
    var tree = start()
    _ = tree.apply(removed(devicePath, BlueZNames.device))
    #expect(
      tree.apply(added(devicePath, [BlueZNames.device: .properties(device([:]))])) == [
        .device(key), .advertised(key),
      ])
    #expect(tree.device(key)?.rssi == nil)
    // So was one whose data changed; what somebody connected without that was not.
    let data = ["ManufacturerData": DBusValue.properties([:])]
    #expect(tree.apply(changed(devicePath, BlueZNames.device, data)).contains(.advertised(key)))
    let alias = ["Alias": DBusValue.string("x")]
    #expect(tree.apply(changed(devicePath, BlueZNames.device, alias)) == [.device(key)])
    _ = tree.apply(removed(devicePath, BlueZNames.device))
    let up = device(["Connected": .boolean(true)])
    #expect(
      tree.apply(added(devicePath, [BlueZNames.device: .properties(up)])) == [
        .device(key), .connection(key, isConnected: true),
      ])
  }

  @Test(arguments: [Int16(127), 0])
  func `F172 a signal strength of 127 or 0 is an advertisement of unknown strength`(_ value: Int16) {
    var tree = start()
    let changes = tree.apply(changed(devicePath, BlueZNames.device, ["RSSI": .int16(value)]))
    #expect(changes == [.device(key), .advertised(key)] && tree.device(key)?.rssi == nil)
  }

  @Test func `the end of discovery is no advertisement`() {
    var tree = start(["RSSI": .int16(-60)])
    let changes = tree.apply(changed(devicePath, BlueZNames.device, [:], invalidated: ["RSSI"]))
    #expect(changes == [.device(key)])
    #expect(tree.device(key)?.rssi == nil)
  }

  @Test func `properties that were asked for are no advertisement`() {
    var tree = start()
    #expect(tree.update(devicePath, BlueZNames.device, ["RSSI": .int16(-70)]) == [.device(key)])
  }

  @Test func `connections are reported only when they change`() {
    var tree = start()
    let up = changed(devicePath, BlueZNames.device, ["Connected": .boolean(true)])
    #expect(tree.apply(up) == [.device(key), .connection(key, isConnected: true)])
    #expect(tree.apply(up) == [.device(key)])
    let down = changed(
      devicePath, BlueZNames.device, ["ServicesResolved": .boolean(false), "Connected": .boolean(false)])
    #expect(tree.apply(down) == [.device(key), .connection(key, isConnected: false)])
    #expect(tree.device(key)?.isResolved == false)
  }

  @Test func `F07 a device that vanishes while connected is down and gone`() {
    var tree = start(["Connected": .boolean(true)])
    #expect(
      tree.apply(removed(devicePath, BlueZNames.device)) == [
        .connection(key, isConnected: false), .deviceGone(key),
      ])
    #expect(tree.device(key) == nil)
  }

  @Test func `attributes outlive the link and are found by their UUI ds`() {
    var tree = start()
    addAttributes(to: &tree)
    #expect(tree.characteristics(of: key) == [ScriptedBoard.notify: characteristicPath])
    _ = tree.apply(changed(devicePath, BlueZNames.device, ["Connected": .boolean(false)]))
    #expect(tree.characteristics(of: key).count == 1)
    #expect(tree.apply(removed(characteristicPath, BlueZNames.gattCharacteristic)) == [.device(key)])
    #expect(tree.characteristics(of: key).isEmpty)
  }

  @Test func `values are reported with their path`() {
    var tree = start()
    addAttributes(to: &tree)
    let signal = changed(characteristicPath, BlueZNames.gattCharacteristic, ["Value": .bytes([1, 2])])
    #expect(tree.apply(signal) == [.value(key, path: characteristicPath, [1, 2])])
    #expect(
      tree.apply(changed(characteristicPath, BlueZNames.gattCharacteristic, ["Notifying": .boolean(true)]))
        == [.device(key)])
  }

  @Test func `F10 when the service is gone, every link is down, every device and adapter gone`() {
    var tree = start(["Connected": .boolean(true)])
    #expect(
      tree.replace(with: nil) == [.connection(key, isConnected: false), .deviceGone(key), .adapterGone(hci0)])
    #expect(tree.adapterIDs.isEmpty && tree.characteristics(of: key).isEmpty)
  }

  @Test func `F15 an adapter that returns under another number is the same adapter`() {
    var tree = start()
    _ = tree.apply(removed(devicePath, BlueZNames.device))
    #expect(tree.apply(removed(adapterPath, BlueZNames.adapter)) == [.adapterGone(hci0)])
    #expect(tree.apply(added("/org/bluez/hci1", [BlueZNames.adapter: adapter(hci0)])) == [.adapter(hci0)])
    let path = "/org/bluez/hci1/dev_C0_FF_EE_00_00_01"
    _ = tree.apply(added(path, [BlueZNames.device: .properties(device(on: "/org/bluez/hci1"))]))
    #expect(tree.device(key)?.path == path)
    #expect(tree.adapter(hci0)?.name == "hci1")
  }

  @Test(arguments: ["00:00:00:00:00:00", nil])
  func `F170 an adapter without an address is known by its name alone, and nothing is received over it`(
    _ address: String?
  ) {
    var tree = BlueZTree()
    var properties: [String: DBusValue] = ["Powered": .boolean(true)]
    properties["Address"] = address.map { .string($0) }
    _ = tree.replace(
      with: listing([adapterPath: interfaces([BlueZNames.adapter: .properties(properties)])]))
    #expect(tree.adaptersWithoutAddress == ["hci0"] && tree.adapterIDs.isEmpty)
    #expect(tree.apply(added(devicePath, [BlueZNames.device: .properties(device())])).isEmpty)
    let given = ["Address": DBusValue.string(hci0.address.colonSeparated)]
    #expect(tree.apply(changed(adapterPath, BlueZNames.adapter, given)) == [.adapter(hci0)])
    #expect(tree.adaptersWithoutAddress.isEmpty)
    let none = ["Address": DBusValue.string("00:00:00:00:00:00")]
    #expect(tree.apply(changed(adapterPath, BlueZNames.adapter, none)) == [.adapterGone(hci0)])
  }

  @Test func `F17 adapters whose names begin alike are kept apart`() {
    var tree = BlueZTree()
    let (one, ten) = ("/org/bluez/hci1", "/org/bluez/hci10")
    _ = tree.replace(
      with: listing([
        one: interfaces([BlueZNames.adapter: adapter(hci0)]),
        ten: interfaces([BlueZNames.adapter: adapter(hci1)]),
        ten + "/dev_C0_FF_EE_00_00_01": interfaces([BlueZNames.device: .properties(device(on: ten))]),
      ]))
    let onTen = DeviceKey(board: boardID, adapter: hci1)
    #expect(tree.device(key) == nil && tree.device(onTen) != nil)
    _ = tree.apply(removed(one, BlueZNames.adapter))
    #expect(tree.device(onTen) != nil)
  }

  @Test func `a new listing replaces the old and reports only differences`() {
    var tree = start(["Connected": .boolean(true)])
    let same = listing([
      adapterPath: interfaces([BlueZNames.adapter: adapter(hci0)]),
      devicePath: interfaces([BlueZNames.device: .properties(device(["Connected": .boolean(true)]))]),
    ])
    #expect(tree.replace(with: same) == [])
    let off = listing([adapterPath: interfaces([BlueZNames.adapter: adapter(hci0, powered: false)])])
    #expect(
      tree.replace(with: off)
        == [.connection(key, isConnected: false), .deviceGone(key), .adapter(hci0)])
  }

  @Test(arguments: [
    DBusSignal("/", "org.bluez.Device1", "PropertiesChanged"),
    DBusSignal(devicePath, BlueZNames.properties, "PropertiesChanged", [.byte(1), .byte(2), .byte(3)]),
    DBusSignal(devicePath, BlueZNames.properties, "PropertiesChanged", [.string(BlueZNames.device)]),
    changed("/nowhere", BlueZNames.device, ["Connected": .boolean(true)]),
    changed("/nowhere", BlueZNames.gattCharacteristic, ["Value": .bytes([1])]),
    added("/x", [BlueZNames.device: .byte(1)]),
    added("/x", [BlueZNames.device: .properties(["Address": .string("nonsense"), "Adapter": .byte(0)])]),
    added("/x", [BlueZNames.gattService: .properties(["UUID": .byte(1)])]),
    removed("/nowhere", BlueZNames.device, BlueZNames.adapter, BlueZNames.gattService, "x"),
    DBusSignal("/", BlueZNames.objectManager, "InterfacesAdded"),
    DBusSignal("/", BlueZNames.objectManager, "InterfacesRemoved", [.string("x"), .string("y")]),
  ])
  func `what makes no sense changes nothing`(signal: DBusSignal) {
    var tree = start()
    #expect(tree.apply(signal) == [])
    #expect(tree.device(key) != nil)
  }

  @Test func `properties of wrong types are taken as not said`() {
    var tree = start()
    _ = tree.apply(
      changed(
        devicePath, BlueZNames.device,
        ["Connected": .string("true"), "RSSI": .string("x"), "Name": .byte(1), "UUIDs": .bytes([1])]))
    #expect(tree.device(key)?.isConnected == false)
    #expect(tree.device(key)?.name == "MetaWear")
  }
}
