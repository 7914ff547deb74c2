import DBus
import EventLoops
import Glibc
import Simulator
import Support
import Synchronization

/// A program on a private bus that talks to the fake `org.bluez` as it would to bluetoothd.
struct BusClient {
  static let adapterPath = "/org/bluez/hci0"
  static let boardPath = "/org/bluez/hci0/dev_C0_FF_EE_00_00_01"
  static let command = boardPath + "/service000c/char000d"
  static let notification = boardPath + "/service000c/char000f"

  let bus: PrivateBus
  let fleet: SimulatedFleet
  let loop: EventLoop
  let connection: DBusConnection
  private let signals: Inbox<DBusSignal>

  /// Devices are remembered for so long that no test can be too slow for it.
  static func plan(
    boards: Int = 1, hasRandomFaults: Bool = false, deviceMemory: Duration = .seconds(100_000)
  ) -> SimulatedFleet.Plan {
    SimulatedFleet.Plan(
      boards: boards, hasRandomFaults: hasRandomFaults, deviceMemory: deviceMemory, speed: 20)
  }

  /// Runs `body` with a fleet whose time runs faster than ours.
  static func with(
    _ plan: SimulatedFleet.Plan = BusClient.plan(),
    _ body: (BusClient) async throws -> Void
  ) async throws {
    try await PrivateBus.with { bus in
      let fleet = try await SimulatedFleet.start(plan, on: bus.address)
      let loop = try EventLoop(name: "client")
      let client = try await BusClient(bus, fleet, loop)
      let outcome: Result<Void, any Error>
      do { outcome = .success(try await body(client)) } catch { outcome = .failure(error) }
      await client.connection.close()
      loop.stop()
      await fleet.stop()
      try outcome.get()
    }
  }

  init(_ bus: PrivateBus, _ fleet: SimulatedFleet, _ loop: EventLoop) async throws {
    self.bus = bus
    self.fleet = fleet
    self.loop = loop
    connection = try await DBusConnection.open(bus.address, on: loop)
    let signals = Inbox<DBusSignal>()
    _ = try await connection.listen(to: DBusMatchRule(sender: "org.bluez")) { signals.put($0) }
    self.signals = signals
  }

  /// A second program on the same bus.
  func another() async throws -> BusClient { try await BusClient(bus, fleet, loop) }

  @discardableResult
  func call(
    _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue] = []
  ) async throws -> [DBusValue] {
    try await connection.call(
      DBusMethodCall(to: "org.bluez", path, interface, member, arguments), deadline: .seconds(60))
  }

  @discardableResult
  func adapter(_ member: String, _ arguments: DBusValue...) async throws -> [DBusValue] {
    try await call(Self.adapterPath, "org.bluez.Adapter1", member, arguments)
  }

  @discardableResult
  func device(_ member: String, _ arguments: DBusValue...) async throws -> [DBusValue] {
    try await call(Self.boardPath, "org.bluez.Device1", member, arguments)
  }

  @discardableResult
  func characteristic(_ path: String, _ member: String, _ arguments: DBusValue...) async throws -> [DBusValue]
  {
    try await call(path, "org.bluez.GattCharacteristic1", member, arguments)
  }

  func write(_ packet: String, as type: String = "command") async throws {
    try await characteristic(
      Self.command, "WriteValue", .bytes([UInt8](hex: packet)), .properties(["type": .string(type)]))
  }

  func property(_ path: String, _ interface: String, _ name: String) async throws -> DBusValue? {
    try await call(path, "org.freedesktop.DBus.Properties", "Get", [.string(interface), .string(name)])
      .first?.unwrapped
  }

  /// Everything `org.bluez` shows.
  func objects() async throws -> [String: [String: DBusValue]] {
    let answer = try await call("/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
    return (answer.first?.namedValues ?? [:]).mapValues { $0.namedValues ?? [:] }
  }

  /// The signals up to and with the first that says this, in words such as those of `Said`.
  func hear(_ wanted: String) async -> [String] {
    var heard: [String] = []
    while let signal = await signals.next() {
      heard += Self.sayings(of: signal).filter { $0 == wanted || !Self.recurs($0) }
      if heard.contains(wanted) { return heard }
    }
    return heard
  }

  /// Boards are heard while somebody scans and tell their battery's charge, the oftener the longer a test takes.
  private static func recurs(_ saying: String) -> Bool {
    saying.contains(" RSSI=") || saying.contains(" Percentage=")
  }

  /// `+ path interface`, `- path interface`, `path Property=value`, `path Property void`; one line for each.
  private static func sayings(of signal: DBusSignal) -> [String] {
    func short(_ path: String) -> String { String(path.dropFirst(Self.adapterPath.utf8.count)) }
    let arguments = signal.arguments
    switch signal.member {
    case "InterfacesAdded":
      return (arguments[1].namedValues ?? [:]).keys.filter { $0.hasPrefix("org.bluez.") }.sorted()
        .map { "+ \(short(arguments[0].text ?? "")) \($0.dropFirst(10))" }
    case "InterfacesRemoved":
      return (arguments[1].elements ?? []).compactMap(\.text).filter { $0.hasPrefix("org.bluez.") }
        .map { "- \(short(arguments[0].text ?? "")) \($0.dropFirst(10))" }
    case "PropertiesChanged":
      let changed = (arguments[1].namedValues ?? [:]).sorted { $0.key < $1.key }
        .map { "\(short(signal.path)) \($0.key)=\(text($0.value))" }
      return changed + (arguments[2].elements ?? []).map { "\(short(signal.path)) \($0.text ?? "") void" }
    default: return []
    }
  }

  private static func text(_ value: DBusValue) -> String {
    value.flag.map(String.init) ?? value.byteArray?.hex ?? value.text ?? value.integer.map(String.init) ?? "…"
  }

  // The usual way.

  func discover() async throws {
    try await adapter("SetDiscoveryFilter", .properties(["Transport": .string("le")]))
    try await adapter("StartDiscovery")
    _ = await hear("+ /dev_C0_FF_EE_00_00_01 Device1")
    try await adapter("StopDiscovery")
    _ = await hear(" Discovering=false")
  }

  func connect() async throws {
    try await device("Connect")
    _ = await hear("/dev_C0_FF_EE_00_00_01 ServicesResolved=true")
  }

  /// Discovers and connects board 1 and acquires its notifications.
  func stream() async throws -> PacketReader {
    try await discover()
    try await connect()
    return try await acquireNotify()
  }

  func acquireNotify() async throws -> PacketReader {
    let answer = try await characteristic(Self.notification, "AcquireNotify", .properties([:]))
    guard answer.count == 2, answer[1] == .uint16(247), let descriptor = answer[0].descriptor?.take() else {
      throw Unexpected(values: answer)
    }
    return try PacketReader(descriptor, on: loop)
  }

  struct Unexpected: Error { let values: [DBusValue] }
}

/// What callbacks brought, to be awaited one by one.
final class Inbox<Element: Sendable>: Sendable {
  private let stream = AsyncStream<Element>.makeStream()

  func put(_ element: Element) { stream.continuation.yield(element) }

  func close() { stream.continuation.finish() }

  /// For one task at a time.
  func next() async -> Element? {
    var iterator = stream.stream.makeAsyncIterator()
    return await iterator.next()
  }
}

/// The client's end of an acquired notification: one read is one packet.
final class PacketReader: Sendable {
  let descriptor: Int32
  private let packets = Inbox<[UInt8]>()
  private let watch = Mutex<Watch?>(nil)

  init(_ descriptor: Int32, on loop: EventLoop) throws {
    self.descriptor = descriptor
    let packets = packets
    let reading = try loop.watch(descriptor, for: .read) { [weak self] _ in
      var buffer = [UInt8](repeating: 0, count: 512)
      let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if count > 0 {
        packets.put(Array(buffer.prefix(count)))
      } else if count == 0 {
        packets.close()
        self?.stop()
      }
    }
    watch.withLock { $0 = reading }
  }

  /// The next packet; nil at the end.
  func next() async -> String? { await packets.next()?.hex }

  private func stop() { watch.withLock { $0 }?.cancel() }

  func close() {
    stop()
    _ = Glibc.close(descriptor)
  }
}
