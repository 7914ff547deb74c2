import DBus
import FleetModel
import Simulator
import Testing

/// Faults on request, as a client on the bus sees them.
struct FakeBlueZFaultTests {
  private static let board = "/dev_C0_FF_EE_00_00_01"
  private static let one = BoardIdentity(number: 1).address

  private func order(_ fault: Fault, _ client: BusClient, lasts: Duration? = nil) async {
    let service = client.fleet.service
    await service.schedule([FaultOrder(fault, on: [Self.one], at: service.now, lasts: lasts)])
  }

  @Test func `A dropped link is lost`() async throws {
    try await BusClient.with { client in
      try await client.discover()
      try await client.connect()
      await order(.drop, client)
      _ = await client.hear("\(Self.board) Connected=false")
    }
  }

  @Test func `Connect is refused with the given error until that is healed`() async throws {
    try await BusClient.with { client in
      try await client.discover()
      await order(.apply(.refused(name: "org.bluez.Error.InProgress", text: "In Progress")), client)
      await #expect(throws: DBusFailure.error(name: "org.bluez.Error.InProgress", text: "In Progress")) {
        try await client.device("Connect")
      }
      await order(.heal(.refuse), client)
      try await client.connect()
    }
  }

  @Test(arguments: IgnoredCall.allCases)
  func `A call that is ignored is not answered, and does nothing`(call: IgnoredCall) async throws {
    try await BusClient.with { client in
      try await client.discover()
      if call != .connect { try await client.connect() }
      await order(.apply(.ignored(call)), client)
      let ignored = Task {
        switch call {
        case .connect: _ = try await client.device("Connect")
        case .disconnect: _ = try await client.device("Disconnect")
        case .write: try await client.write("0180")
        }
      }
      // The bus keeps the order of one client's calls, so the other one is answered after the first was read.
      let isUp = try await client.property(BusClient.boardPath, "org.bluez.Device1", "Connected")
      #expect(isUp == .boolean(call != .connect))
      ignored.cancel()
      _ = await ignored.result
      await order(.heal(nil), client)
      if call == .connect { try await client.connect() }
      try await client.device("Disconnect")
    }
  }

  @Test func `A mute board says nothing, a delayed one says it later, and then all is well`() async throws {
    try await BusClient.with { client in
      let packets = try await client.stream()
      await order(.apply(.mute), client)
      try await client.write("0180")
      await order(.heal(nil), client)
      try await client.write("0380")
      #expect(await packets.next()?.hasPrefix("03 80") == true)
      await order(.apply(.delayed(.seconds(1))), client, lasts: .seconds(1))
      try await client.write("0280")
      await order(.heal(nil), client)
      // In order, although the second is not held back any more.
      try await client.write("0180")
      #expect(await packets.next()?.hasPrefix("02 80") == true)
      #expect(await packets.next()?.hasPrefix("01 80") == true)
      packets.close()
    }
  }

  @Test func `A board off the air loses its link, and comes back`() async throws {
    try await BusClient.with { client in
      try await client.discover()
      try await client.connect()
      await order(.apply(.vanished), client)
      _ = await client.hear("\(Self.board) Connected=false")
      await order(.heal(nil), client)
      try await client.connect()
    }
  }

  @Test func `A flood and nonsense come at once`() async throws {
    try await BusClient.with { client in
      let packets = try await client.stream()
      await order(.flood(3), client)
      await order(.malformed(3), client)
      for packet in [
        "03 04 00 00 00 00 00 00", "03 04 01 00 00 00 00 00", "03 04 02 00 00 00 00 00", "77", "03",
        "01 01",
      ] {
        #expect(await packets.next() == packet)
      }
      packets.close()
    }
  }

  @Test func `The battery holds what was asked for`() async throws {
    try await BusClient.with { client in
      try await client.discover()
      try await client.connect()
      await order(.battery(percent: 7), client)
      _ = await client.hear("\(Self.board) Percentage=7")
    }
  }

  @Test func `An adapter that is off can be switched on, a blocked one not`() async throws {
    try await BusClient.with { client in
      let on: [DBusValue] = [.string("org.bluez.Adapter1"), .string("Powered"), .variant(.boolean(true))]
      let set: @Sendable () async throws -> Void = {
        try await client.call(BusClient.adapterPath, "org.freedesktop.DBus.Properties", "Set", on)
      }
      // One that there is not.
      await order(.adapter(.off, number: 1), client)
      await order(.adapter(.off), client)
      _ = await client.hear(" Powered=false")
      try await set()
      _ = await client.hear(" Powered=true")
      await order(.adapter(.blocked), client)
      _ = await client.hear(" Powered=false")
      await #expect(
        throws: DBusFailure.error(name: "org.bluez.Error.Blocked", text: "Blocked through rfkill")
      ) { try await set() }
      await order(.adapter(.back), client)
      _ = await client.hear(" Powered=true")
    }
  }

  @Test func `An adapter is pulled out, comes back, and comes back under another number`() async throws {
    try await BusClient.with { client in
      try await client.discover()
      try await client.connect()
      await order(.adapter(.removed), client)
      let gone = await client.hear("-  Adapter1")
      #expect(gone.contains("- \(Self.board) Device1"))
      await order(.adapter(.back), client)
      _ = await client.hear("+  Adapter1")
      try await client.discover()
      await order(.adapter(.renumbered), client)
      _ = await client.hear("-  Adapter1")
      _ = await client.hear("+  Adapter1")
      let objects = try await client.objects()
      #expect(objects["/org/bluez/hci1"] != nil && objects["/org/bluez/hci0"] == nil)
    }
  }

  @Test func `bluetoothd dies without a word, and its next life begins from nothing`() async throws {
    try await BusClient.with { client in
      let packets = try await client.stream()
      let (owners, owned) = AsyncStream<String?>.makeStream()
      _ = try await client.connection.watchOwner(of: "org.bluez") { owned.yield($0) }
      var owner = owners.makeAsyncIterator()
      #expect(await owner.next() != .some(nil))
      await order(.service(.gone), client)
      #expect(await owner.next() == .some(nil))
      #expect(await packets.next() == nil)
      await order(.service(.back), client)
      #expect(await owner.next() != .some(nil))
      #expect(Set(try await client.objects().keys) == ["/org/bluez", "/org/bluez/hci0"])
      try await client.discover()
      try await client.connect()
      packets.close()
    }
  }
}
