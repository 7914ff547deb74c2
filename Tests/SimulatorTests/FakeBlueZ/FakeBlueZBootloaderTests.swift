import BoardKit
import DBus
import FleetModel
import Testing

@testable import Simulator

/// What a client of bluetoothd sees when a board jumps into its bootloader and comes back, as 5.66 was seen to do it.
struct FakeBlueZBootloaderTests {
  private static let board = "/dev_C0_FF_EE_00_00_01"
  /// One path for two characteristics: the notifications of the application, and the bootloader's control point.
  private static let shared = BusClient.notification
  private static let packet = BusClient.boardPath + "/service000c/char000d"
  private static let control = MetaMotionAttributes.bootloaderControl.uuid.description
  private static let id = BoardID(BoardIdentity(number: 1).address)

  private func uuid(_ path: String, _ client: BusClient) async throws -> String? {
    try await client.property(path, "org.bluez.GattCharacteristic1", "UUID")?.text
  }

  /// Lets the connected board jump, and connects to its bootloader.
  private func jump(_ client: BusClient, to path: String = BusClient.boardPath) async throws {
    try await client.adapter("StartDiscovery")
    try await client.write("FE 02")
    let name = String(path.dropFirst(BusClient.adapterPath.utf8.count))
    _ = await client.hear(path == BusClient.boardPath ? "\(name) Name=MetaBoot" : "+ \(name) Device1")
    try await client.adapter("StopDiscovery")
    _ = await client.hear(" Discovering=false")
    try await client.call(path, "org.bluez.Device1", "Connect")
    _ = await client.hear("\(name) ServicesResolved=true")
  }

  private func isSubscribed(_ client: BusClient) async -> Bool? {
    await client.fleet.service.board(Self.id, as: MetaMotionBoard.self)?.bootloader.isSubscribed
  }

  @Test func `F292 paths are used again with another meaning, and services follow`() async throws {
    try await BusClient.with { client in
      try await client.discover()
      try await client.connect()
      #expect(try await uuid(Self.shared, client) == MetaMotionAttributes.notification.uuid.description)
      try await jump(client)
      #expect(try await uuid(Self.shared, client) == Self.control)
      let services = try await client.property(BusClient.boardPath, "org.bluez.Device1", "UUIDs")
      let texts = (services?.elements ?? []).compactMap(\.text)
      #expect(texts.contains(MetaMotionAttributes.bootloader.description))
      #expect(!texts.contains(MetaMotionAttributes.service.description))
      #expect(
        try await client.property(Self.packet, "org.bluez.GattCharacteristic1", "MTU") == .uint16(23))
    }
  }

  @Test func `What goes and comes at one path is told, each attribute by itself`() async throws {
    try await BusClient.with { client in
      try await client.discover()
      try await client.connect()
      try await client.adapter("StartDiscovery")
      try await client.write("FE 02")
      _ = await client.hear("\(Self.board) Name=MetaBoot")
      try await client.adapter("StopDiscovery")
      _ = await client.hear(" Discovering=false")
      try await client.device("Connect")
      let told = await client.hear("\(Self.board) ServicesResolved=true")
      let removed = try #require(
        told.firstIndex(of: "- \(Self.board)/service000c/char000f GattCharacteristic1"))
      let added = try #require(told.lastIndex(of: "+ \(Self.board)/service000c/char000f GattCharacteristic1"))
      #expect(removed < added)
    }
  }

  @Test(arguments: [true, false])
  func
    `F292 a notify session that is still open is armed again, on the control point; one that was stopped is not`(
      isOpen: Bool
    ) async throws
  {
    try await BusClient.with { client in
      try await client.discover()
      try await client.connect()
      try await client.characteristic(Self.shared, "StartNotify")
      if !isOpen { try await client.characteristic(Self.shared, "StopNotify") }
      try await jump(client)
      #expect(await isSubscribed(client) == isOpen)
      // Nobody who asks for it now hears of what was armed before.
      #expect(
        try await client.property(Self.shared, "org.bluez.GattCharacteristic1", "Notifying")
          == .boolean(false))
    }
  }

  @Test func `The control point refuses until notifications are on, and answers then`() async throws {
    try await BusClient.with { client in
      try await client.discover()
      try await client.connect()
      try await jump(client)
      let write: @Sendable () async throws -> Void = {
        try await client.characteristic(
          Self.shared, "WriteValue", .bytes([0x07]), .properties(["type": .string("request")]))
      }
      await #expect(
        throws: DBusFailure.error(
          name: "org.bluez.Error.Failed", text: "Operation failed with ATT error: 0xfd")
      ) { try await write() }
      try await client.characteristic(Self.shared, "StartNotify")
      try await write()
      _ = await client.hear(
        "\(Self.board)/service000c/char000f Value=\([UInt8]([0x10, 7, 1, 0, 0, 0, 0]).hex)")
      // More than 20 bytes do not fit into one packet here.
      await #expect(
        throws: DBusFailure.error(name: "org.bluez.Error.Failed", text: "Failed to initiate write")
      ) {
        try await client.characteristic(
          Self.packet, "WriteValue", .bytes([UInt8](repeating: 0, count: 21)),
          .properties(["type": .string("command")]))
      }
    }
  }

  @Test func `F292 stale attributes stay until the device is removed`() async throws {
    try await BusClient.with { client in
      try await client.discover()
      try await client.connect()
      let service = client.fleet.service
      await service.schedule([FaultOrder(.apply(.stale), on: [Self.id.address], at: service.now)])
      try await jump(client)
      #expect(try await uuid(Self.shared, client) == MetaMotionAttributes.notification.uuid.description)
      try await client.adapter("RemoveDevice", .objectPath(BusClient.boardPath))
      try await client.discover()
      try await client.connect()
      #expect(try await uuid(Self.shared, client) == Self.control)
    }
  }

  @Test func `A bootloader at the next address is another device, and faults of its board find it`()
    async throws
  {
    var plan = BusClient.plan(boards: 2)
    plan.bootloaders.place = .nextAddress
    try await BusClient.with(plan) { client in
      try await client.discover()
      try await client.connect()
      let path = BusClient.adapterPath + "/dev_C0_FF_EE_00_00_02"
      try await jump(client, to: path)
      // The second board is at the address behind that.
      #expect(try await client.objects()[BusClient.adapterPath + "/dev_C0_FF_EE_00_00_03"] != nil)
      let service = client.fleet.service
      await service.schedule([FaultOrder(.drop, on: [Self.id.address], at: service.now)])
      _ = await client.hear("/dev_C0_FF_EE_00_00_02 Connected=false")
    }
  }
}
