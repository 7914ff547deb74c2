import DBus
import EventLoops
import FleetModel
import Glibc
import Simulator
import Support
import Testing

/// The fake as a client on the bus sees it; what is expected was seen with bluetoothd 5.66.
struct FakeBlueZTests {
  private static let board = "/dev_C0_FF_EE_00_00_01"
  private static let notification = board + "/service000c/char000f"
  private static let command = board + "/service000c/char000d"

  private static func failed(_ text: String) -> DBusFailure {
    .error(name: "org.bluez.Error.Failed", text: text)
  }

  private static func notPermitted(_ text: String) -> DBusFailure {
    .error(name: "org.bluez.Error.NotPermitted", text: text)
  }

  @Test func `The adapter is there, and the managers that clients look for`() async throws {
    try await BusClient.with { client in
      let objects = try await client.objects()
      #expect(Set(objects.keys) == ["/org/bluez", "/org/bluez/hci0"])
      #expect(objects["/org/bluez"]?.keys.contains("org.bluez.AgentManager1") == true)
      let adapter = objects["/org/bluez/hci0"]?["org.bluez.Adapter1"]?.namedValues
      #expect(adapter?["Powered"] == .boolean(true) && adapter?["Discovering"] == .boolean(false))
      try await client.call(
        "/org/bluez", "org.bluez.AgentManager1", "RegisterAgent", [.objectPath("/agent"), .string("")])
    }
  }

  @Test func `Several adapters have devices of their own, and a board is connected over either`() async throws
  {
    var plan = BusClient.plan()
    plan.adapters = 2
    try await BusClient.with(plan) { client in
      let other = "/org/bluez/hci1"
      var shown = try await client.objects()
      let addresses = [BusClient.adapterPath, other].compactMap {
        shown[$0]?["org.bluez.Adapter1"]?.namedValues?["Address"]?.text
      }
      #expect(addresses == ["00:AA:01:00:00:00", "00:AA:01:00:00:01"])
      try await client.discover()
      try await client.call(other, "org.bluez.Adapter1", "StartDiscovery")
      // Of the first adapter it is known already.
      while shown[other + Self.board] == nil { shown = try await client.objects() }
      #expect(shown[BusClient.adapterPath + Self.board] != nil)
      let device = shown[other + Self.board]?["org.bluez.Device1"]?.namedValues
      #expect(device?["Adapter"]?.text == other && device?["RSSI"]?.integer != nil)
      try await client.call(other, "org.bluez.Adapter1", "StopDiscovery")
      try await client.call(other + Self.board, "org.bluez.Device1", "Connect")
      while shown[other + Self.command] == nil { shown = try await client.objects() }
      #expect(shown[BusClient.adapterPath + Self.command] == nil)
    }
  }

  @Test func `Discovery shows boards, and its rules hold`() async throws {
    try await BusClient.with(BusClient.plan(boards: 3, deviceMemory: .seconds(30))) { client in
      await #expect(throws: Self.failed("No discovery started")) { try await client.adapter("StopDiscovery") }
      try await client.adapter("StartDiscovery")
      await #expect(
        throws: DBusFailure.error(name: "org.bluez.Error.InProgress", text: "Operation already in progress")
      ) { try await client.adapter("StartDiscovery") }
      let heard = await client.hear("+ /dev_C0_FF_EE_00_00_02 Device1")
      #expect(heard.first == " Discovering=true")
      let device = try await client.objects()[BusClient.boardPath]?["org.bluez.Device1"]?.namedValues
      #expect(device?["Address"] == .string("C0:FF:EE:00:00:01"))
      #expect(device?["AddressType"] == .string("random") && device?["Name"] == .string("MetaWear"))
      #expect(device?["UUIDs"] == .strings(["326a9000-85cb-9195-d9dd-464cfbbae75a"]))
      try await client.adapter("StopDiscovery")
      let end = await client.hear(" Discovering=false")
      #expect(end.filter { $0.hasSuffix("RSSI void") }.count == 3)
      let gone = await client.hear("- /dev_C0_FF_EE_00_00_02 Device1")
      #expect(gone.contains("- /dev_C0_FF_EE_00_00_01 Device1"))
    }
  }

  @Test func `Connect, services, device information, disconnect`() async throws {
    try await BusClient.with { client in
      try await client.discover()
      try await client.device("Connect")
      let heard = await client.hear("\(Self.board) ServicesResolved=true")
      let order = [
        "\(Self.board) Connected=true", "+ \(Self.board)/service000c GattService1",
        "+ \(Self.command) GattCharacteristic1", "+ \(Self.notification) GattCharacteristic1",
        "+ \(Self.notification)/desc0011 GattDescriptor1", "\(Self.board) ServicesResolved=true",
      ]
      #expect(heard.filter(order.contains) == order)
      #expect(heard.contains("+ \(Self.board) Battery1"))

      let version = BusClient.boardPath + "/service0012/char001b"
      let properties = try await client.objects()[version]?["org.bluez.GattCharacteristic1"]?.namedValues
      #expect(properties?["UUID"] == .string("00002a26-0000-1000-8000-00805f9b34fb"))
      #expect(properties?["Flags"] == .strings(["read"]) && properties?["MTU"] == .uint16(247))
      let value = try await client.characteristic(version, "ReadValue", .properties([:]))
      #expect(value == [.bytes(Array("1.7.3".utf8))])
      #expect(await client.hear("\(Self.board)/service0012/char001b Value=31 2E 37 2E 33").count == 1)
      await #expect(
        throws: DBusFailure.error(name: "org.bluez.Error.InvalidArguments", text: "Invalid offset")
      ) {
        try await client.characteristic(version, "ReadValue", .properties(["offset": .uint16(99)]))
      }

      try await client.device("Disconnect")
      #expect(
        await client.hear("\(Self.board) Connected=false") == [
          "- \(Self.board) Battery1", "\(Self.board) ServicesResolved=false", "\(Self.board) Connected=false",
        ])
      await #expect(throws: Self.failed("Not connected")) {
        try await client.characteristic(version, "ReadValue", .properties([:]))
      }
      // Attributes stay as long as the device.
      #expect(try await client.objects()[version] != nil)
    }
  }

  @Test func `A request by WriteValue is answered on the acquired socket, packet by packet`() async throws {
    try await BusClient.with { client in
      let reader = try await client.stream()
      #expect(
        try await client.property(BusClient.notification, "org.bluez.GattCharacteristic1", "NotifyAcquired")
          == .boolean(true))
      try await client.write("03 80")
      try await client.write("01 80")
      try await client.write("0F 80", as: "request")
      #expect(await reader.next() == "03 80 04 00")
      #expect(await reader.next() == "01 80 00 00")
      #expect(await reader.next() == "0F 80 00 02 08 00")
      let heard = await client.hear("\(Self.notification) NotifyAcquired=true")
      #expect(!heard.contains { $0.contains("Value=") })
      reader.close()
      _ = await client.hear("\(Self.notification) NotifyAcquired=false")
      try await client.acquireNotify().close()
    }
  }

  @Test func `A stream comes one sample a packet`() async throws {
    try await BusClient.with { client in
      let reader = try await client.stream()
      for packet in ["03 03 A7 01", "03 04 01", "03 02 01 00", "03 01 01"] { try await client.write(packet) }
      for _ in 0..<100 {
        let packet = [UInt8](hex: try #require(await reader.next()))
        #expect(packet.count == 8 && packet[0] == 3 && packet[1] == 4)
      }
      reader.close()
    }
  }

  @Test func `Writes too long or of another kind are refused`() async throws {
    try await BusClient.with { client in
      try await client.discover()
      try await client.connect()
      func write(_ count: Int, _ type: String) async throws {
        let value = DBusValue.bytes([UInt8](repeating: 0, count: count))
        try await client.characteristic(
          BusClient.command, "WriteValue", value, .properties(["type": .string(type)]))
      }
      try await write(244, "command")
      await #expect(throws: Self.failed("Failed to initiate write")) { try await write(245, "command") }
      await #expect(
        throws: DBusFailure.error(name: "org.bluez.Error.InvalidArguments", text: "Invalid Length")
      ) { try await write(21, "request") }
      await #expect(
        throws: DBusFailure.error(name: "org.bluez.Error.NotSupported", text: "Operation is not supported")
      ) { try await write(2, "nonsense") }
    }
  }

  @Test func `Notifications by signal`() async throws {
    try await BusClient.with { client in
      try await client.discover()
      try await client.connect()
      await #expect(throws: Self.failed("No notify session started")) {
        try await client.characteristic(BusClient.notification, "StopNotify")
      }
      try await client.characteristic(BusClient.notification, "StartNotify")
      try await client.characteristic(BusClient.notification, "StartNotify")
      await #expect(throws: DBusFailure.error(name: "org.bluez.Error.InProgress", text: "In Progress")) {
        try await client.characteristic(BusClient.notification, "AcquireNotify", .properties([:]))
      }
      await #expect(
        throws: DBusFailure.error(name: "org.bluez.Error.NotSupported", text: "Operation is not supported")
      ) { try await client.characteristic(BusClient.command, "StartNotify") }
      try await client.write("03 80")
      #expect(
        await client.hear("\(Self.notification) Value=03 80 04 00")
          == ["\(Self.notification) Notifying=true", "\(Self.notification) Value=03 80 04 00"])
      try await client.characteristic(BusClient.notification, "StopNotify")
      let end = "\(Self.notification) Notifying=false"
      #expect(await client.hear(end) == [end])
    }
  }

  @Test func `An acquired characteristic is nobody else's, but anybody may release it`() async throws {
    try await BusClient.with { client in
      let reader = try await client.stream()
      let other = try await client.another()
      for member in ["StartNotify", "AcquireNotify"] {
        let arguments: [DBusValue] = member == "StartNotify" ? [] : [.properties([:])]
        await #expect(throws: Self.notPermitted("Notify acquired")) {
          try await other.call(BusClient.notification, "org.bluez.GattCharacteristic1", member, arguments)
        }
      }
      try await other.characteristic(BusClient.notification, "StopNotify")
      #expect(await reader.next() == nil)
      reader.close()
      await other.connection.close()
    }
  }

  @Test func `An acquired write socket carries packets, loses long ones and blocks WriteValue`() async throws
  {
    try await BusClient.with { client in
      let reader = try await client.stream()
      let answer = try await client.characteristic(BusClient.command, "AcquireWrite", .properties([:]))
      let descriptor = try #require(answer.first?.descriptor?.take())
      await #expect(throws: Self.notPermitted("Write acquired")) { try await client.write("03 80") }
      await #expect(throws: Self.notPermitted("Write acquired")) {
        try await client.characteristic(BusClient.command, "AcquireWrite", .properties([:]))
      }
      for packet in [[UInt8](repeating: 0, count: 245), [0x03, 0x80]] {
        #expect(packet.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) } == packet.count)
      }
      #expect(await reader.next() == "03 80 04 00")
      close(descriptor)
      _ = await client.hear("\(Self.command) WriteAcquired=false")
      try await client.write("01 80")
      #expect(await reader.next() == "01 80 00 00")
      reader.close()
    }
  }

  @Test func `A reset drops the link, ends the socket, and the board comes back`() async throws {
    try await BusClient.with { client in
      let reader = try await client.stream()
      try await client.write("0B 84")
      #expect(await reader.next()?.hasSuffix("00") == true)
      try await client.write("FE 01")
      #expect(await reader.next() == nil)
      reader.close()
      let heard = await client.hear("\(Self.notification) NotifyAcquired=false")
      let order = [
        "\(Self.board) Connected=false", "\(Self.board) ServicesResolved=false", "- \(Self.board) Battery1",
        "\(Self.notification) NotifyAcquired=false",
      ]
      #expect(heard.filter(order.contains) == order)
      try await client.connect()
      let again = try await client.acquireNotify()
      try await client.write("0B 84")
      #expect(await again.next()?.hasSuffix("01") == true)
      again.close()
    }
  }

  @Test func `StartNotify survives a disconnect, an acquired socket does not`() async throws {
    try await BusClient.with { client in
      try await client.discover()
      try await client.connect()
      try await client.characteristic(BusClient.notification, "StartNotify")
      try await client.device("Disconnect")
      _ = await client.hear("\(Self.board) Connected=false")
      try await client.connect()
      try await client.write("03 80")
      #expect(await client.hear("\(Self.notification) Value=03 80 04 00").last?.contains("Value") == true)
      try await client.characteristic(BusClient.notification, "StopNotify")
      let reader = try await client.acquireNotify()
      try await client.device("Disconnect")
      #expect(await reader.next() == nil)
      reader.close()
      _ = await client.hear("\(Self.notification) NotifyAcquired=false")
      try await client.connect()
      try await client.acquireNotify().close()
    }
  }

  @Test func `A client that leaves ends its sessions, and the link stays`() async throws {
    try await BusClient.with { client in
      try await client.discover()
      try await client.connect()
      let other = try await client.another()
      try await other.characteristic(BusClient.notification, "StartNotify")
      try await other.adapter("StartDiscovery")
      _ = await client.hear(" Discovering=true")
      await other.connection.close()
      let heard = await client.hear(" Discovering=false")
      #expect(heard.contains("\(Self.notification) Notifying=false"))
      #expect(
        try await client.property(BusClient.boardPath, "org.bluez.Device1", "Connected") == .boolean(true))
    }
  }

  @Test func `RemoveDevice takes everything away; unknown objects are unknown`() async throws {
    try await BusClient.with { client in
      try await client.discover()
      try await client.connect()
      try await client.adapter("RemoveDevice", .objectPath(BusClient.boardPath))
      let heard = await client.hear("- \(Self.board) Device1")
      let order = [
        "\(Self.board) ServicesResolved=false", "\(Self.board) Connected=false",
        "- \(Self.notification)/desc0011 GattDescriptor1", "- \(Self.notification) GattCharacteristic1",
        "- \(Self.board)/service000c GattService1", "- \(Self.board) Device1",
      ]
      #expect(heard.filter(order.contains) == order)
      let text = "Method \"Connect\" with signature \"\" on interface \"org.bluez.Device1\" doesn't exist\n"
      await #expect(throws: DBusFailure.unknownObject(text)) { try await client.device("Connect") }
      await #expect(throws: DBusFailure.error(name: "org.bluez.Error.DoesNotExist", text: "Does Not Exist")) {
        try await client.adapter("RemoveDevice", .objectPath(BusClient.boardPath))
      }
    }
  }

  @Test func `Power off and on`() async throws {
    try await BusClient.with { client in
      try await client.discover()
      try await client.connect()
      func power(_ isOn: Bool) async throws {
        try await client.call(
          BusClient.adapterPath, "org.freedesktop.DBus.Properties", "Set",
          [.string("org.bluez.Adapter1"), .string("Powered"), .variant(.boolean(isOn))])
      }
      try await power(false)
      let heard = await client.hear(" Powered=false")
      #expect(heard.contains("\(Self.board) Connected=false"))
      await #expect(throws: DBusFailure.error(name: "org.bluez.Error.NotReady", text: "Resource Not Ready")) {
        try await client.adapter("StartDiscovery")
      }
      await #expect(throws: Self.failed("Input/output error")) { try await client.device("Connect") }
      try await power(true)
      _ = await client.hear(" Powered=true")
      try await client.connect()
    }
  }

  @Test func `The board's button, the battery and the radio are in the hand of the tester`() async throws {
    try await BusClient.with { client in
      let reader = try await client.stream()
      try await client.write("01 01 01")
      let id = BoardID(BoardIdentity(number: 1).address)
      await client.fleet.service.perform(on: id, as: MetaMotionBoard.self) { board, now in
        board.perform { $0.setSwitch(pressed: true, at: now) }
      }
      #expect(await reader.next() == "01 01 01")
      await client.fleet.service.loseLink(of: id)
      #expect(await reader.next() == nil)
      reader.close()
    }
  }

  @Test func `A client that does not read loses packets, which are counted, and disturbs nobody`()
    async throws
  {
    try await BusClient.with { client in
      try await client.discover()
      try await client.connect()
      let answer = try await client.characteristic(BusClient.notification, "AcquireNotify", .properties([:]))
      let descriptor = try #require(answer.first?.descriptor?.take())
      for packet in ["03 03 AA 01", "03 04 01", "03 02 01 00", "03 01 01"] { try await client.write(packet) }
      while await client.fleet.service.counts.dropped == 0 {
        #expect(
          try await client.property(BusClient.boardPath, "org.bluez.Device1", "Connected") == .boolean(true))
      }
      #expect(await client.fleet.service.counts.delivered > 100)
      close(descriptor)
    }
  }

  @Test func `RandomFaults drops links and resets boards without being asked`() async throws {
    try await BusClient.with(BusClient.plan(hasRandomFaults: true)) { client in
      try await client.discover()
      for _ in 0..<3 {
        // It may end before it is answered.
        _ = try? await client.device("Connect")
        _ = await client.hear("\(Self.board) Connected=false")
      }
    }
  }

  @Test func `A second service on the same bus is refused`() async throws {
    try await BusClient.with { client in
      await #expect(throws: DBusFailure.self) {
        _ = try await SimulatedFleet.start(SimulatedFleet.Plan(boards: 1), on: client.bus.address)
      }
    }
  }
}
