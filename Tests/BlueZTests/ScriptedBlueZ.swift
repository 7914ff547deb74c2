import BoardKit
import DBus
import EventLoops
import FleetModel
import Glibc
import Synchronization

/// A small org.bluez for these tests, written from what bluetoothd 5.66 was seen to do: one adapter, boards with one
/// service, and a script for what goes wrong. Nothing in it takes time.
actor ScriptedBlueZ {
  static let adapterPath = "/org/bluez/hci0"
  static let adapterID = AdapterID(BluetoothAddress(rawValue: 0x001A_7DDA_7113))

  nonisolated let connection: DBusConnection
  nonisolated var unownedExecutor: UnownedSerialExecutor { connection.unownedExecutor }
  /// The calls that came in, by member.
  nonisolated let calls = Events<String>()
  nonisolated let written = Events<[UInt8]>()
  private let server: DBusObjectServer
  private(set) var boards: [BoardID: ScriptedBoard] = [:]
  private var sockets: [BoardID: Int32] = [:]
  private var held: [String: [DBusInvocation]] = [:]
  private var filters: [[String: DBusValue]] = []
  /// What setting Powered is answered.
  var power = ScriptedBoard.Answer.yes
  var startDiscovery: [ScriptedBoard.Answer] = []

  init(_ connection: DBusConnection, _ server: DBusObjectServer) {
    self.connection = connection
    self.server = server
  }

  static func start(_ bus: DBusAddress, on loop: EventLoop) async throws -> ScriptedBlueZ {
    let connection = try await DBusConnection.open(bus, on: loop)
    let server = await DBusObjectServer.start(on: connection)
    return ScriptedBlueZ(connection, server)
  }

  /// Adds the adapter and takes the name.
  func appear(isPowered: Bool = true) async throws {
    addAdapter(isPowered: isPowered)
    try await connection.requestName("org.bluez")
  }

  /// Several steps without a pause between them.
  func perform<T: Sendable>(_ body: @Sendable (isolated ScriptedBlueZ) -> T) -> T { body(self) }

  func addAdapter(at path: String = adapterPath, isPowered: Bool = true) {
    export(
      [
        DBusInterface(
          "org.bluez.Adapter1",
          properties: [
            "Address": .string(Self.adapterID.address.colonSeparated), "Powered": .boolean(isPowered),
            "Discovering": .boolean(false),
          ],
          setters: [
            "Powered": { [weak self] value, call in self?.assumeIsolated { $0.setPower(value, call) } }
          ],
          methods: [
            method("SetDiscoveryFilter", "a{sv}") { fake, call in
              fake.filters.append(call.arguments[0].namedValues ?? [:])
              call.reply()
            },
            method("StartDiscovery") { fake, call in
              let answer = fake.startDiscovery.isEmpty ? .yes : fake.startDiscovery.removeFirst()
              fake.answer(call, answer) {
                fake.change(path, "org.bluez.Adapter1", ["Discovering": .boolean(true)])
              }
            },
            method("StopDiscovery") { fake, call in
              call.reply()
              fake.change(path, "org.bluez.Adapter1", ["Discovering": .boolean(false)])
            },
            method("RemoveDevice", "o") { fake, call in
              if let board = fake.boards.values.first(where: { .objectPath($0.path) == call.arguments[0] }) {
                fake.vanish(board.id)
              }
              call.reply()
            },
          ])
      ], at: path)
  }

  private func setPower(_ value: DBusValue, _ call: DBusInvocation) {
    calls.send("Set Powered")
    answer(call, power) { change(Self.adapterPath, "org.bluez.Adapter1", ["Powered": value]) }
  }

  // What a test does to it.

  /// Adds a device, as discovery would; `isConnected`: as one that was there before us.
  func add(_ board: ScriptedBoard, isConnected: Bool = false) {
    boards[board.id] = board
    export(
      [
        DBusInterface(
          "org.bluez.Device1",
          properties: [
            "Address": .string(board.id.address.colonSeparated), "AddressType": .string("random"),
            "Adapter": .objectPath(Self.adapterPath), "Name": .string("MetaWear"), "RSSI": .int16(-60),
            "UUIDs": .strings([ScriptedBoard.service.description]), "Connected": .boolean(isConnected),
            "ServicesResolved": .boolean(isConnected),
          ],
          methods: [
            method("Connect") { fake, call in fake.connect(board.id, call) },
            method("Disconnect") { fake, call in fake.disconnect(board.id, call) },
          ])
      ], at: board.path)
    if isConnected { addAttributes(board) }
  }

  func change(_ id: BoardID, _ edit: @Sendable (inout ScriptedBoard) -> Void) {
    guard var board = boards[id] else { return }
    edit(&board)
    boards[id] = board
  }

  func hear(_ id: BoardID, rssi: Int16) { changeDevice(id, ["RSSI": .int16(rssi)]) }

  func vanish(_ id: BoardID) {
    guard let board = boards.removeValue(forKey: id) else { return }
    hangUp(id)
    for path in [board.notifyPath, board.commandPath, board.servicePath, board.path] { remove(path) }
  }

  func vanishAdapter() { remove(Self.adapterPath) }

  func resolve(_ id: BoardID, isAnnounced: Bool = true) {
    guard let board = boards[id] else { return }
    if property("UUID", board.notifyPath, "org.bluez.GattCharacteristic1") == nil { addAttributes(board) }
    changeDevice(id, ["ServicesResolved": .boolean(true)], silently: !isAnnounced)
  }

  func announceResolved(_ id: BoardID, withAttributes: Bool) {
    if withAttributes, let board = boards[id] { addAttributes(board) }
    changeDevice(id, ["ServicesResolved": .boolean(true)])
  }

  func dropLink(_ id: BoardID) {
    changeDevice(id, ["ServicesResolved": .boolean(false), "Connected": .boolean(false)])
  }

  func hangUp(_ id: BoardID) { if let socket = sockets.removeValue(forKey: id) { close(socket) } }

  /// A notification, over the acquired socket.
  func notify(_ id: BoardID, _ value: [UInt8]) {
    if let socket = sockets[id] { send(socket, value, value.count, Int32(MSG_NOSIGNAL)) }
  }

  /// A value that is signalled: a notification without a socket, or the echo of a read.
  func signal(_ id: BoardID, _ value: [UInt8]) {
    guard let board = boards[id] else { return }
    change(board.notifyPath, "org.bluez.GattCharacteristic1", ["Value": .bytes(value)])
  }

  func changeDevice(_ id: BoardID, _ values: [String: DBusValue], silently: Bool = false) {
    guard let board = boards[id] else { return }
    change(board.path, "org.bluez.Device1", values, silently: silently)
  }

  func changeAdapter(_ values: [String: DBusValue], invalidate: [String] = [], silently: Bool = false) {
    change(Self.adapterPath, "org.bluez.Adapter1", values, silently: silently)
  }

  func isConnected(_ id: BoardID) -> Bool {
    boards[id].flatMap { property("Connected", $0.path, "org.bluez.Device1")?.flag } ?? false
  }

  var isDiscovering: Bool { property("Discovering", Self.adapterPath, "org.bluez.Adapter1")?.flag ?? false }
  var lastFilter: [String: DBusValue]? { filters.last }

  /// Answers the calls of a board's device that `never` has held back.
  func release(_ id: BoardID, _ member: String, _ answer: ScriptedBoard.Answer = .yes) {
    let held = held.removeValue(forKey: "\(boards[id]?.path ?? "") \(member)") ?? []
    for call in held { self.answer(call, answer) {} }
  }

  /// Whose Connect is held back.
  var pendingConnects: [BoardID] {
    boards.values.filter { held["\($0.path) Connect"]?.isEmpty == false }.map(\.id)
  }

  func setPowerAnswer(_ answer: ScriptedBoard.Answer) { power = answer }
  func setDiscoveryAnswers(_ answers: [ScriptedBoard.Answer]) { startDiscovery = answers }

  // What it does.

  private func connect(_ id: BoardID, _ call: DBusInvocation) {
    guard var board = boards[id] else { return }
    let decided = board.connectFirst.isEmpty ? board.connect : board.connectFirst.removeFirst()
    boards[id] = board
    if case .yes = decided, !isConnected(id) {
      changeDevice(id, ["Connected": .boolean(true)], silently: !board.announcesConnected)
    }
    answer(call, decided) {}
    if case .yes = decided, board.resolvesServices { resolve(id, isAnnounced: board.announcesResolved) }
  }

  private func disconnect(_ id: BoardID, _ call: DBusInvocation) {
    // The pending call is told first.
    release(id, "Connect", .error("org.bluez.Error.Failed", "br-connection-canceled"))
    answer(call, boards[id]?.disconnect ?? .yes) {
      if isConnected(id) {
        hangUp(id)
        dropLink(id)
      }
    }
  }

  private func addAttributes(_ board: ScriptedBoard) {
    export(
      [
        DBusInterface(
          "org.bluez.GattService1",
          properties: ["UUID": .string(ScriptedBoard.service.description), "Device": .objectPath(board.path)])
      ], at: board.servicePath)
    for (path, characteristic) in [
      (board.notifyPath, ScriptedBoard.notify), (board.commandPath, ScriptedBoard.command),
    ] {
      export(
        [
          DBusInterface(
            "org.bluez.GattCharacteristic1",
            properties: [
              "UUID": .string(characteristic.uuid.description), "Service": .objectPath(board.servicePath),
              "MTU": .uint16(247),
            ],
            methods: [
              method("AcquireNotify", "a{sv}") { fake, call in fake.acquire(board.id, call) },
              method("StartNotify") { fake, call in
                fake.answer(call, fake.boards[board.id]?.startNotify ?? .yes) {}
              },
              method("StopNotify") { fake, call in
                fake.hangUp(board.id)
                call.reply()
              },
              method("ReadValue", "a{sv}") { fake, call in
                guard let board = fake.boards[board.id] else { return }
                if case .yes = board.read {
                  fake.change(path, "org.bluez.GattCharacteristic1", ["Value": .bytes(board.value)])
                  call.reply([.bytes(board.value)])
                } else {
                  fake.answer(call, board.read) {}
                }
              },
              method("WriteValue", "aya{sv}") { fake, call in
                fake.written.send(call.arguments[0].byteArray ?? [])
                fake.calls.send("write \(call.arguments[1].namedValues?["type"]?.text ?? "")")
                fake.isConnected(board.id)
                  ? call.reply() : call.fail(.error(name: "org.bluez.Error.Failed", text: "Not connected"))
              },
            ])
        ], at: path)
    }
  }

  private func acquire(_ id: BoardID, _ call: DBusInvocation) {
    guard var board = boards[id] else { return }
    let decided = board.acquire.isEmpty ? .yes : board.acquire.removeFirst()
    boards[id] = board
    guard case .yes = decided else { return answer(call, decided) {} }
    guard let pair = try? PacketSockets() else { return }
    hangUp(id)
    sockets[id] = pair.near
    call.reply([.descriptor(DBusDescriptor(owning: pair.far)), .uint16(247)])
  }

  private func answer(_ call: DBusInvocation, _ answer: ScriptedBoard.Answer, _ consequence: () -> Void) {
    switch answer {
    case .yes:
      call.reply()
      consequence()
    case .never: held["\(call.path) \(call.member)", default: []].append(call)
    case .error(let name, let text): call.fail(.error(name: name, text: text))
    }
  }

  private func method(
    _ name: String, _ takes: String = "",
    _ body: @escaping @Sendable (isolated ScriptedBlueZ, DBusInvocation) -> Void
  ) -> DBusMethod {
    DBusMethod(name, takes: takes) { [weak self] call in
      self?.calls.send(name)
      self?.assumeIsolated { body($0, call) }
    }
  }

  private func export(_ interfaces: [DBusInterface], at path: String) {
    server.assumeIsolated { $0.export(interfaces, at: path) }
  }

  private func remove(_ path: String) { server.assumeIsolated { $0.remove(at: path) } }

  private func change(
    _ path: String, _ interface: String, _ values: [String: DBusValue], silently: Bool = false
  ) {
    server.assumeIsolated { $0.change(path, interface, set: values, silently: silently) }
  }

  private func property(_ name: String, _ path: String, _ interface: String) -> DBusValue? {
    server.assumeIsolated { $0.property(name, of: path, interface) }
  }
}
