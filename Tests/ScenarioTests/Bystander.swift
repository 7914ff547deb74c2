import BoardKit
import DBus
import EventLoops
import FleetModel
import Simulator

/// Another program that uses BlueZ: an earlier run of ours, or an administrator at the keyboard. It has its own
/// connection to the bus and shares no line with the radio.
actor Bystander {
  private static let bluez = "org.bluez"
  private static let adapter = "/org/bluez/hci0"
  private static let characteristic = "org.bluez.GattCharacteristic1"
  private static let timeout = Duration.seconds(60)

  private nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  private let bus: DBusConnection
  private let (signals, signalled) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

  private init(_ bus: DBusConnection, on loop: EventLoop) {
    self.bus = bus
    self.loop = loop
  }

  static func join(_ address: DBusAddress, on loop: EventLoop) async throws -> Bystander {
    let bystander = Bystander(try await DBusConnection.open(address, on: loop), on: loop)
    _ = try await bystander.bus.listen(to: DBusMatchRule(sender: bluez)) { _ in
      bystander.signalled.yield()
    }
    return bystander
  }

  /// Leaves the bus as a program that was killed: what it had asked for ends, its links stay.
  func leave() async { await bus.close() }

  func switchAdapterOff() async {
    _ = try? await call(
      Self.adapter, "org.freedesktop.DBus.Properties", "Set", .string("org.bluez.Adapter1"),
      .string("Powered"), .variant(.boolean(false)))
  }

  /// Finds and connects boards, one after the other, and waits for their services.
  func connect(_ boards: [BoardID]) async throws {
    try await call(
      Self.adapter, "org.bluez.Adapter1", "SetDiscoveryFilter",
      .properties(["Transport": .string("le")]))
    for board in boards {
      repeat { try await find(board) } while try await !connectFound(board)
      _ = await device(board) { $0["ServicesResolved"]?.flag == true }
    }
  }

  private func find(_ board: BoardID) async throws {
    try await call(Self.adapter, "org.bluez.Adapter1", "StartDiscovery")
    _ = await device(board) { _ in true }
    try await call(Self.adapter, "org.bluez.Adapter1", "StopDiscovery")
  }

  /// False when BlueZ had forgotten the board meanwhile: it keeps what no discovery hears for 30 s only, and the fake,
  /// which is ten times as fast, for 3 s.
  private func connectFound(_ board: BoardID) async throws -> Bool {
    do {
      try await call(Self.path(of: board), "org.bluez.Device1", "Connect")
      return true
    } catch .error(name: "org.freedesktop.DBus.Error.UnknownObject", text: _) {
      return false
    }
  }

  /// Asks for notifications of a board, and keeps on asking until it leaves.
  func startNotify(_ board: BoardID) async throws {
    try await call(await notification(of: board), Self.characteristic, "StartNotify")
  }

  /// Takes the notifications away from whoever has acquired them.
  func stopNotify(_ board: BoardID) async {
    _ = try? await call(await notification(of: board), Self.characteristic, "StopNotify")
  }

  private func notification(of board: BoardID) async -> String {
    let uuid = MetaMotionAttributes.notification.uuid.description
    return await objects().first { path, interfaces in
      path.hasPrefix(Self.path(of: board))
        && interfaces[Self.characteristic]?.namedValues?["UUID"]?.text == uuid
    }?.key ?? "/"
  }

  /// Which boards BlueZ holds connected now; nil while it does not answer.
  func connectedBoards() async -> Set<BoardID>? {
    guard let answer = try? await managedObjects() else { return nil }
    let devices = answer.values.compactMap { $0["org.bluez.Device1"]?.namedValues }
    return Set(
      devices.filter { $0["Connected"]?.flag == true }.compactMap { device in
        device["Address"]?.text.flatMap { BluetoothAddress($0) }.map { BoardID($0) }
      })
  }

  /// Makes BlueZ forget every device, so that the next scenario finds it as after a start.
  func forgetBoards() async {
    for (path, interfaces) in await objects() where interfaces["org.bluez.Device1"] != nil {
      _ = try? await call(Self.adapter, "org.bluez.Adapter1", "RemoveDevice", .objectPath(path))
    }
  }

  /// Waits until the device is there and its properties satisfy `condition`.
  private func device(
    _ board: BoardID, until condition: ([String: DBusValue]) -> Bool
  ) async -> [String: DBusValue] {
    var news = signals.makeAsyncIterator()
    while true {
      if let device = await objects()[Self.path(of: board)]?["org.bluez.Device1"]?.namedValues,
        condition(device)
      {
        return device
      }
      await news.next(isolation: self)
    }
  }

  private func objects() async -> [String: [String: DBusValue]] { (try? await managedObjects()) ?? [:] }

  private func managedObjects() async throws(DBusFailure) -> [String: [String: DBusValue]] {
    let answer = try await call("/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
    var objects: [String: [String: DBusValue]] = [:]
    for (path, interfaces) in answer.first?.entries ?? [:] {
      if let path = path.text { objects[path] = interfaces.namedValues }
    }
    return objects
  }

  @discardableResult
  private func call(
    _ path: String, _ interface: String, _ member: String, _ arguments: DBusValue...
  ) async throws(DBusFailure) -> [DBusValue] {
    try await bus.call(
      DBusMethodCall(to: Self.bluez, path, interface, member, arguments), deadline: Self.timeout)
  }

  private static func path(of board: BoardID) -> String {
    "\(adapter)/dev_" + board.address.colonSeparated.map { $0 == ":" ? "_" : String($0) }.joined()
  }
}
