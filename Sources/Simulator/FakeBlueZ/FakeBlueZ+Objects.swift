import BoardKit
import DBus
import FleetModel

/// The objects of adapter and devices, and what clients may call there.
extension FakeBlueZ {
  /// A method that is carried out on this actor.
  func method(
    _ name: String, takes: String = "", gives: String = "",
    _ body: @escaping @Sendable (isolated FakeBlueZ, DBusInvocation) -> Void
  ) -> DBusMethod {
    DBusMethod(name, takes: takes, gives: gives) { [weak self] invocation in
      self?.assumeIsolated { body($0, invocation) }
    }
  }

  /// A property that clients may set to anything of its type.
  private func free(_ property: String, of interface: String) -> DBusInterface.Setter {
    { [weak self] value, invocation in
      self?.assumeIsolated { $0.show(invocation.path, interface, [property: value]) }
      invocation.reply()
    }
  }

  func exportRoot() {
    let accept: @Sendable (isolated FakeBlueZ, DBusInvocation) -> Void = { _, invocation in invocation.reply()
    }
    let agents = DBusInterface(
      "org.bluez.AgentManager1",
      methods: [
        method("RegisterAgent", takes: "os") { fake, invocation in
          // With somebody there to ask, bluetoothd lets others pair.
          fake.show(fake.adapterPath, BlueZNames.adapter, ["Pairable": .boolean(true)])
          invocation.reply()
        },
        method("UnregisterAgent", takes: "o", accept), method("RequestDefaultAgent", takes: "o", accept),
      ])
    let profiles = DBusInterface(
      "org.bluez.ProfileManager1",
      methods: [
        method("RegisterProfile", takes: "osa{sv}", accept), method("UnregisterProfile", takes: "o", accept),
      ])
    server.assumeIsolated { $0.export([agents, profiles], at: BlueZNames.root) }
  }

  /// The adapter as it is when bluetoothd has just found it.
  func exportAdapter() {
    let accept: @Sendable (isolated FakeBlueZ, DBusInvocation) -> Void = { _, invocation in invocation.reply()
    }
    let applications = DBusInterface(
      "org.bluez.GattManager1",
      methods: [
        method("RegisterApplication", takes: "oa{sv}", accept),
        method("UnregisterApplication", takes: "o", accept),
      ])
    let advertising = DBusInterface(
      "org.bluez.LEAdvertisingManager1",
      properties: [
        "ActiveInstances": .byte(0), "SupportedInstances": .byte(5),
        "SupportedIncludes": .strings(["tx-power", "appearance", "local-name"]),
      ],
      methods: [
        method("RegisterAdvertisement", takes: "oa{sv}", accept),
        method("UnregisterAdvertisement", takes: "o", accept),
      ])
    server.assumeIsolated { [adapter = adapterInterface, path = adapterPath] in
      $0.export([adapter, applications, advertising], at: path)
    }
  }

  private var adapterInterface: DBusInterface {
    let name = "BlueZ 5.66"
    let settable = ["Alias", "Discoverable", "DiscoverableTimeout", "Pairable", "PairableTimeout"]
    var setters = Dictionary(uniqueKeysWithValues: settable.map { ($0, free($0, of: BlueZNames.adapter)) })
    setters["Powered"] = { [weak self] value, invocation in
      self?.assumeIsolated { $0.ask(invocation) { $0.setPowered(value.flag ?? false, $1) } }
    }
    return DBusInterface(
      BlueZNames.adapter,
      properties: [
        "Address": .string(SimulatedRadio.adapter.id.address.colonSeparated),
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
        method("StartDiscovery") { fake, invocation in
          fake.ask(invocation) { $0.startDiscovery(by: invocation.sender, $1) }
        },
        method("StopDiscovery") { fake, invocation in
          fake.ask(invocation) { $0.stopDiscovery(by: invocation.sender, $1) }
        },
        method("SetDiscoveryFilter", takes: "a{sv}") { fake, invocation in
          let options = invocation.arguments.first?.namedValues ?? [:]
          fake.ask(invocation) { $0.setDiscoveryFilter(options, by: invocation.sender, $1) }
        },
        method("GetDiscoveryFilters", gives: "as") { _, invocation in
          invocation.reply([.strings(DiscoveryFilter.options)])
        },
        method("RemoveDevice", takes: "o") { fake, invocation in
          guard let board = fake.device(at: invocation.arguments.first?.text) else {
            invocation.fail(.doesNotExist)
            return
          }
          fake.ask(invocation) { $0.removeDevice(board, $1) }
        },
      ])
  }

  func exportDevice(_ board: BluetoothAddress, _ properties: [String: DBusValue]) {
    let refuse: @Sendable (isolated FakeBlueZ, DBusInvocation) -> Void = { _, invocation in
      invocation.fail(.notAvailable)
    }
    let device = DBusInterface(
      BlueZNames.device, properties: properties.merging(["Adapter": .objectPath(adapterPath)]) { $1 },
      setters: Dictionary(
        uniqueKeysWithValues: ["Alias", "Trusted", "Blocked"].map { ($0, free($0, of: BlueZNames.device)) }),
      methods: [
        method("Connect") { fake, invocation in fake.connect(board, invocation) },
        method("Disconnect") { fake, invocation in
          guard !fake.condition(of: board).ignores(.disconnect) else { return }
          fake.ask(invocation) { $0.disconnect(board, $1) }
        },
        method("Pair") { fake, invocation in fake.ask(invocation) { $0.pair(board, $1) } },
        method("CancelPairing") { _, invocation in invocation.fail(.doesNotExist) },
        method("ConnectProfile", takes: "s", refuse), method("DisconnectProfile", takes: "s", refuse),
      ])
    server.assumeIsolated { [path = path(of: board)] in $0.export([device], at: path) }
  }

  private func connect(_ board: BluetoothAddress, _ invocation: DBusInvocation) {
    let condition = condition(of: board)
    guard !condition.ignores(.connect) else { return }
    if let (name, text) = condition.refusal { return invocation.fail(.error(name: name, text: text)) }
    ask(invocation) { $0.connect(board, $1) }
  }

  func removeDevice(_ board: BluetoothAddress) {
    removeAttributes(of: board)
    server.assumeIsolated { [path = path(of: board)] in $0.remove(at: path) }
  }

  private func device(at path: String?) -> BluetoothAddress? {
    let prefix = adapterPath + "/dev_"
    guard let path, path.hasPrefix(prefix) else { return nil }
    return BluetoothAddress(String(path.dropFirst(prefix.count).map { $0 == "_" ? ":" : $0 }))
  }
}
