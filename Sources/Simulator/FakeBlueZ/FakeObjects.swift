import BoardKit
import DBus
import FleetModel

/// The objects of bluetoothd, of one of its adapters and of its devices, and what clients may call there.
struct FakeObjects: Sendable {
  private let server: DBusObjectServer
  /// Which of the adapters, from 0.
  private let index: Int
  /// Of `/org/bluez/hciN`.
  var adapterNumber: Int

  init(ofAdapter index: Int, on server: DBusObjectServer) {
    (self.index, self.server) = (index, server)
    adapterNumber = index
  }

  var adapterPath: String { BlueZNames.path(ofAdapter: adapterNumber) }

  func path(of board: BluetoothAddress) -> String { "\(adapterPath)/\(BlueZNames.name(of: board))" }

  /// Whose object lies at `path`.
  func board(at path: String?) -> BluetoothAddress? {
    let prefix = adapterPath + "/dev_"
    guard let path, path.hasPrefix(prefix) else { return nil }
    return BluetoothAddress(String(path.dropFirst(prefix.count).map { $0 == "_" ? ":" : $0 }))
  }

  /// Changes properties that somebody may see.
  func show(
    _ path: String, _ interface: String, _ changes: [String: DBusValue], _ invalidated: [String] = []
  ) {
    server.assumeIsolated { $0.change(path, interface, set: changes, invalidate: invalidated) }
  }

  /// Shows what the adapter has decided about itself or a device.
  func show(_ action: FakeAction, of fake: FakeBlueZ) {
    switch action {
    case .adapterChanged(let changes): show(adapterPath, BlueZNames.adapter, changes)
    case .deviceAppeared(let board, let properties): exportDevice(board, properties, of: fake)
    case .deviceChanged(let board, let changes, let invalidated):
      show(path(of: board), BlueZNames.device, changes, invalidated)
    case .batteryRemoved(let board): removeBattery(of: board)
    default: break
    }
  }

  /// Shows a board's battery, which came to be known.
  func exportBattery(_ percent: UInt8, of board: BluetoothAddress) {
    export(
      [DBusInterface(BlueZNames.battery, properties: ["Percentage": .byte(percent)])], at: path(of: board))
  }

  func removeBattery(of board: BluetoothAddress) {
    server.assumeIsolated { [path = path(of: board)] in $0.remove([BlueZNames.battery], at: path) }
  }

  func removeAdapter() { remove(adapterPath) }

  func removeDevice(_ board: BluetoothAddress) { remove(path(of: board)) }

  /// All of them, what is below first.
  func removeAll() {
    server.assumeIsolated { server in
      for path in server.paths.sorted(by: >) where path.hasPrefix(BlueZNames.root) { server.remove(at: path) }
    }
  }

  private func remove(_ path: String) { server.assumeIsolated { $0.remove(at: path) } }

  private func export(_ interfaces: [DBusInterface], at path: String) {
    server.assumeIsolated { $0.export(interfaces, at: path) }
  }
}

// What there is from the start.
extension FakeObjects {
  func exportRoot(of fake: FakeBlueZ) {
    let agents = DBusInterface(
      "org.bluez.AgentManager1",
      methods: [
        fake.method("RegisterAgent", takes: "os") { fake, invocation in
          // With somebody there to ask, bluetoothd lets others pair.
          for objects in fake.objects {
            objects.show(objects.adapterPath, BlueZNames.adapter, ["Pairable": .boolean(true)])
          }
          invocation.reply()
        },
        Self.accepting("UnregisterAgent", takes: "o"), Self.accepting("RequestDefaultAgent", takes: "o"),
      ])
    let profiles = DBusInterface(
      "org.bluez.ProfileManager1",
      methods: [
        Self.accepting("RegisterProfile", takes: "osa{sv}"), Self.accepting("UnregisterProfile", takes: "o"),
      ])
    export([agents, profiles], at: BlueZNames.root)
  }

  /// The adapter as it is when bluetoothd has just found it.
  func exportAdapter(of fake: FakeBlueZ) {
    let applications = DBusInterface(
      "org.bluez.GattManager1",
      methods: [
        Self.accepting("RegisterApplication", takes: "oa{sv}"),
        Self.accepting("UnregisterApplication", takes: "o"),
      ])
    let advertising = DBusInterface(
      "org.bluez.LEAdvertisingManager1",
      properties: [
        "ActiveInstances": .byte(0), "SupportedInstances": .byte(5),
        "SupportedIncludes": .strings(["tx-power", "appearance", "local-name"]),
      ],
      methods: [
        Self.accepting("RegisterAdvertisement", takes: "oa{sv}"),
        Self.accepting("UnregisterAdvertisement", takes: "o"),
      ])
    export([adapter(of: fake), applications, advertising], at: adapterPath)
  }

  private func adapter(of fake: FakeBlueZ) -> DBusInterface {
    let name = "BlueZ 5.66"
    let settable = ["Alias", "Discoverable", "DiscoverableTimeout", "Pairable", "PairableTimeout"]
    var setters = Dictionary(
      uniqueKeysWithValues: settable.map { ($0, free($0, of: BlueZNames.adapter)) })
    setters["Powered"] = { [weak fake, index] value, invocation in
      fake?.assumeIsolated { $0.ask(index, invocation) { $0.setPowered(value.flag ?? false, $1) } }
    }
    return DBusInterface(
      BlueZNames.adapter,
      properties: [
        "Address": .string(SimulatedAdapters.id(of: index).address.colonSeparated),
        "AddressType": .string("public"),
        "Name": .string(name), "Alias": .string(name), "Class": .uint32(0), "Powered": .boolean(true),
        "Discoverable": .boolean(false), "DiscoverableTimeout": .uint32(180), "Pairable": .boolean(false),
        "PairableTimeout": .uint32(0), "Discovering": .boolean(false),
        "UUIDs": .strings(
          [AttributeTree.genericAttribute, AttributeTree.genericAccess].map(\.description)),
        "Modalias": .string("usb:v1D6Bp0246d0542"), "Roles": .strings(["central", "peripheral"]),
      ],
      setters: setters,
      methods: [
        fake.method("StartDiscovery") { [index] fake, invocation in
          fake.ask(index, invocation) { $0.startDiscovery(by: invocation.sender, $1) }
        },
        fake.method("StopDiscovery") { [index] fake, invocation in
          fake.ask(index, invocation) { $0.stopDiscovery(by: invocation.sender, $1) }
        },
        fake.method("SetDiscoveryFilter", takes: "a{sv}") { [index] fake, invocation in
          let options = invocation.arguments.first?.namedValues ?? [:]
          fake.ask(index, invocation) { $0.setDiscoveryFilter(options, by: invocation.sender, $1) }
        },
        fake.method("GetDiscoveryFilters", gives: "as") { _, invocation in
          invocation.reply([.strings(DiscoveryFilter.options)])
        },
        fake.method("RemoveDevice", takes: "o") { [index] fake, invocation in
          guard let board = fake.objects[index].board(at: invocation.arguments.first?.text) else {
            invocation.fail(.doesNotExist)
            return
          }
          fake.ask(index, invocation) { $0.removeDevice(board, $1) }
        },
      ])
  }

  /// A method that does nothing and says that it did.
  private static func accepting(_ name: String, takes: String) -> DBusMethod {
    DBusMethod(name, takes: takes) { $0.reply() }
  }

  private static func refusing(_ name: String, takes: String) -> DBusMethod {
    DBusMethod(name, takes: takes) { $0.fail(.notAvailable) }
  }

  /// A property that clients may set to anything of its type.
  private func free(_ property: String, of interface: String) -> DBusInterface.Setter {
    { [server] value, invocation in
      server.assumeIsolated {
        $0.change(invocation.path, interface, set: [property: value], invalidate: [])
      }
      invocation.reply()
    }
  }
}

// Devices.
extension FakeObjects {
  func exportDevice(
    _ board: BluetoothAddress, _ properties: [String: DBusValue], of fake: FakeBlueZ
  ) {
    let device = DBusInterface(
      BlueZNames.device, properties: properties.merging(["Adapter": .objectPath(adapterPath)]) { $1 },
      setters: Dictionary(
        uniqueKeysWithValues: ["Alias", "Trusted", "Blocked"].map { ($0, free($0, of: BlueZNames.device)) }),
      methods: [
        fake.method("Connect") { [index] fake, invocation in
          fake.connect(board, on: index, invocation)
        },
        fake.method("Disconnect") { [index] fake, invocation in
          guard !fake.condition(of: board).ignores(.disconnect) else { return }
          fake.ask(index, invocation) { $0.disconnect(board, $1) }
        },
        fake.method("Pair") { [index] fake, invocation in
          fake.ask(index, invocation) { $0.pair(board, $1) }
        },
        fake.method("CancelPairing") { _, invocation in invocation.fail(.doesNotExist) },
        Self.refusing("ConnectProfile", takes: "s"), Self.refusing("DisconnectProfile", takes: "s"),
      ])
    export([device], at: path(of: board))
  }
}
