import BoardKit
import DBus
import FleetModel
import Testing

@testable import Simulator

/// What is expected here was seen with bluetoothd 5.66.
struct FakeAdapterTests {
  static let one = BoardIdentity(number: 1).address
  static let two = BoardIdentity(number: 2).address
  static let advertisement = Advertisement(
    localName: "MetaWear", service: MetaMotionAttributes.service, manufacturerData: [:])

  /// An adapter with two boards in range, and the time.
  struct Stage {
    var adapter: FakeAdapter
    var now = Duration.zero
    private var lastCall = 0

    init(_ conditions: Air.Conditions = Air.Conditions()) {
      adapter = FakeAdapter(air: Air(seed: 1, conditions: conditions))
      for board in [one, two] {
        _ = adapter.advertises(board, advertisement)
        adapter.services[board] = [MetaMotionAttributes.service]
      }
    }

    /// A new call, carried out now.
    mutating func ask(_ question: (inout FakeAdapter, FakeCall) -> [FakeAction]) -> [FakeAction] {
      lastCall += 1
      return adapter.advance(to: now) + question(&adapter, FakeCall(number: lastCall))
    }

    mutating func pass(_ duration: Duration) -> [FakeAction] {
      now += duration
      return adapter.advance(to: now)
    }

    /// Everything that happens until `action` does.
    @discardableResult
    mutating func wait(for action: FakeAction, atMost limit: Duration = .seconds(60)) throws -> [FakeAction] {
      let end = now + limit
      var seen: [FakeAction] = []
      while let next = adapter.nextEvent(), next <= end {
        now = max(now, next)
        seen += adapter.advance(to: now)
        if seen.contains(action) { return seen }
      }
      throw NeverHappened(action: action, seen: seen)
    }

    struct NeverHappened: Error {
      let action: FakeAction
      let seen: [FakeAction]
    }

    mutating func discoverAndStop() {
      _ = ask { $0.startDiscovery(by: ":1.1", $1) }
      _ = pass(.milliseconds(100))
      _ = ask { $0.stopDiscovery(by: ":1.1", $1) }
    }

    mutating func connectOne() {
      discoverAndStop()
      _ = ask { $0.connect(one, $1) }
      _ = pass(.seconds(2))
      #expect(adapter.devices[one]?.link == .resolved)
      // As the board does.
      _ = adapter.advertises(one, nil)
    }
  }

  private static func change(_ board: BluetoothAddress, _ changes: [String: Bool]) -> FakeAction {
    .deviceChanged(board, changes.mapValues { .boolean($0) })
  }

  private func call(_ number: Int) -> FakeCall { FakeCall(number: number) }

  // Discovery.

  @Test func `Discovery belongs to a client, and each has one`() {
    var stage = Stage()
    #expect(stage.ask { $0.stopDiscovery(by: ":1.1", $1) } == [.fail(call(1), .noDiscovery)])
    #expect(
      stage.ask { $0.startDiscovery(by: ":1.1", $1) }
        == [.reply(call(2)), .adapterChanged(["Discovering": .boolean(true)])])
    #expect(stage.ask { $0.startDiscovery(by: ":1.1", $1) } == [.fail(call(3), .alreadyDiscovering)])
    #expect(stage.ask { $0.stopDiscovery(by: ":1.2", $1) } == [.fail(call(4), .noDiscovery)])
    #expect(stage.ask { $0.startDiscovery(by: ":1.2", $1) } == [.reply(call(5))])
    #expect(stage.ask { $0.stopDiscovery(by: ":1.1", $1) } == [.reply(call(6))])
    #expect(stage.adapter.clientLeft(":1.2") == [.adapterChanged(["Discovering": .boolean(false)])])
  }

  @Test func `Boards appear soon, are reported once per scan period, and fall silent with the scan`() throws {
    var stage = Stage()
    _ = stage.ask { $0.startDiscovery(by: ":1.1", $1) }
    let appeared = stage.pass(.milliseconds(100))
    #expect(appeared.count == 2)
    guard case .deviceAppeared(Self.one, let properties)? = appeared.first else {
      Issue.record("board 1 did not appear first: \(appeared)")
      return
    }
    #expect(
      Set(properties.keys) == [
        "Address", "AddressType", "Name", "Alias", "Paired", "Bonded", "Trusted", "Blocked", "LegacyPairing",
        "RSSI", "Connected", "UUIDs", "ServicesResolved",
      ])
    #expect(properties["Address"] == .string("C0:FF:EE:00:00:01"))
    #expect(stage.pass(.seconds(10)).isEmpty)
    let again = stage.pass(.seconds(1))
    #expect(again.count == 2)
    for action in again {
      guard case .deviceChanged(_, let changes, _) = action else { continue }
      #expect(Set(changes.keys) == ["RSSI"])
    }
    #expect(
      stage.ask { $0.stopDiscovery(by: ":1.1", $1) } == [
        .reply(call(2)), .deviceChanged(Self.two, [:], invalidated: ["RSSI"]),
        .deviceChanged(Self.one, [:], invalidated: ["RSSI"]),
        .adapterChanged(["Discovering": .boolean(false)]),
      ])
  }

  @Test func `A filter keeps boards out, and a new one starts the scan again`() {
    var stage = Stage()
    let others = ["UUIDs": DBusValue.strings(["180f"])]
    #expect(stage.ask { $0.setDiscoveryFilter(others, by: ":1.1", $1) } == [.reply(call(1))])
    _ = stage.ask { $0.startDiscovery(by: ":1.1", $1) }
    #expect(stage.pass(.seconds(1)).isEmpty)
    #expect(stage.ask { $0.setDiscoveryFilter([:], by: ":1.1", $1) } == [.reply(call(3))])
    #expect(stage.pass(.milliseconds(100)).count == 2)
  }

  @Test func `A new name comes with the next report`() {
    var stage = Stage()
    _ = stage.ask { $0.startDiscovery(by: ":1.1", $1) }
    _ = stage.pass(.milliseconds(100))
    _ = stage.adapter.advertises(
      Self.one,
      Advertisement(
        localName: "Renamed", service: MetaMotionAttributes.service, manufacturerData: [0x626D: [1, 2]]))
    let changes = stage.pass(.milliseconds(100)).compactMap { action -> [String: DBusValue]? in
      if case .deviceChanged(Self.one, let changes, _) = action { changes } else { nil }
    }
    #expect(changes.first?["Name"] == .string("Renamed") && changes.first?["Alias"] == .string("Renamed"))
    #expect(
      changes.first?["ManufacturerData"]
        == .dictionary(of: "qv", [.uint16(0x626D): .variant(.bytes([1, 2]))]))
  }

  @Test func `A device that was only seen goes 30 s after the last report`() {
    var stage = Stage()
    stage.discoverAndStop()
    #expect(stage.pass(.milliseconds(29_900)).isEmpty)
    #expect(stage.pass(.milliseconds(200)) == [.deviceRemoved(Self.one), .deviceRemoved(Self.two)])
    #expect(stage.ask { $0.connect(Self.one, $1) } == [.fail(call(3), .doesNotExist)])
  }

  // Connections.

  @Test func `Connect is answered before the services are there`() throws {
    var stage = Stage()
    stage.discoverAndStop()
    #expect(stage.ask { $0.connect(Self.one, $1) }.isEmpty)
    let opening = try stage.wait(for: .reply(call(3)))
    #expect(
      opening == [.linkOpened(Self.one), Self.change(Self.one, ["Connected": true]), .reply(call(3))])
    let discovered = try stage.wait(for: .attributesDiscovered(Self.one))
    #expect(
      discovered == [.attributesDiscovered(Self.one), Self.change(Self.one, ["ServicesResolved": true])])
    #expect(stage.ask { $0.connect(Self.one, $1) } == [.reply(call(4))])
  }

  @Test func `While a scan runs, Connect waits for its next period`() throws {
    var stage = Stage()
    _ = stage.ask { $0.startDiscovery(by: ":1.1", $1) }
    _ = stage.pass(.milliseconds(100))
    let start = stage.now
    _ = stage.ask { $0.connect(Self.one, $1) }
    try stage.wait(for: .reply(call(2)))
    #expect((.seconds(10)...(.seconds(11))).contains(stage.now - start))
  }

  @Test func `The end of a scan lets a waiting Connect go ahead`() throws {
    var stage = Stage()
    _ = stage.ask { $0.startDiscovery(by: ":1.1", $1) }
    _ = stage.pass(.milliseconds(100))
    _ = stage.ask { $0.connect(Self.one, $1) }
    _ = stage.ask { $0.stopDiscovery(by: ":1.1", $1) }
    try stage.wait(for: .reply(call(2)), atMost: .seconds(1))
  }

  @Test func `Several at once are opened one after the other; a second Connect to one fails`() throws {
    var stage = Stage()
    stage.discoverAndStop()
    _ = stage.ask { $0.connect(Self.one, $1) }
    _ = stage.ask { $0.connect(Self.two, $1) }
    #expect(stage.ask { $0.connect(Self.one, $1) } == [.fail(call(5), .alreadyConnecting)])
    try stage.wait(for: .reply(call(3)))
    let first = stage.now
    try stage.wait(for: .reply(call(4)))
    #expect(stage.now - first >= .milliseconds(100))
  }

  @Test func `An absent board is given up after 40 s`() {
    var stage = Stage()
    stage.discoverAndStop()
    _ = stage.adapter.advertises(Self.one, nil)
    _ = stage.ask { $0.connect(Self.one, $1) }
    #expect(!stage.pass(.milliseconds(39_999)).contains(.fail(call(3), .aborted)))
    #expect(stage.pass(.milliseconds(1)).contains(.fail(call(3), .aborted)))
  }

  @Test func `A board that comes back in time is connected`() throws {
    var stage = Stage()
    stage.discoverAndStop()
    _ = stage.adapter.advertises(Self.one, nil)
    _ = stage.ask { $0.connect(Self.one, $1) }
    _ = stage.pass(.seconds(20))
    _ = stage.adapter.advertises(Self.one, Self.advertisement)
    try stage.wait(for: .reply(call(3)), atMost: .seconds(1))
  }

  @Test func `Disconnect cancels a pending Connect, which fails first`() {
    var stage = Stage()
    stage.discoverAndStop()
    _ = stage.adapter.advertises(Self.one, nil)
    _ = stage.ask { $0.connect(Self.one, $1) }
    #expect(
      stage.ask { $0.disconnect(Self.one, $1) } == [.fail(call(3), .connectionCancelled), .reply(call(4))])
    #expect(stage.ask { $0.disconnect(Self.one, $1) } == [.reply(call(5))])
  }

  @Test func `Disconnect takes two seconds, in which Connect is accepted and helps nothing`() {
    var stage = Stage()
    stage.connectOne()
    #expect(stage.ask { $0.disconnect(Self.one, $1) } == [.batteryRemoved(Self.one)])
    #expect(stage.ask { $0.disconnect(Self.one, $1) }.isEmpty)
    #expect(stage.ask { $0.connect(Self.one, $1) } == [.reply(call(6))])
    #expect(stage.pass(.milliseconds(1999)).filter { $0 != .deviceRemoved(Self.two) }.isEmpty)
    #expect(
      stage.pass(.milliseconds(1)) == [
        Self.change(Self.one, ["ServicesResolved": false]), .reply(call(4)), .reply(call(5)),
        Self.change(Self.one, ["Connected": false]), .linkClosed(Self.one),
      ])
    #expect(stage.pass(.seconds(31)).contains(.deviceRemoved(Self.one)))
  }

  @Test func `A lost link is told in one change, before the services are resolved in another`() throws {
    var stage = Stage()
    stage.connectOne()
    #expect(
      stage.adapter.linkLost(Self.one) == [
        Self.change(Self.one, ["ServicesResolved": false, "Connected": false]), .batteryRemoved(Self.one),
        .linkClosed(Self.one),
      ])
    #expect(stage.adapter.linkLost(Self.one).isEmpty)
    _ = stage.adapter.advertises(Self.one, Self.advertisement)
    _ = stage.ask { $0.connect(Self.one, $1) }
    try stage.wait(for: .reply(call(4)))
    #expect(
      stage.adapter.linkLost(Self.one) == [
        Self.change(Self.one, ["Connected": false]), .linkClosed(Self.one),
      ])
    #expect(!stage.pass(.seconds(20)).contains(.attributesDiscovered(Self.one)))
  }

  @Test func `The link outlives the device's memory, and scans do not show a connected board`() {
    var stage = Stage()
    stage.connectOne()
    _ = stage.ask { $0.startDiscovery(by: ":1.1", $1) }
    let seen = stage.pass(.seconds(100))
    #expect(
      !seen.contains {
        if case .deviceChanged(Self.one, _, _) = $0 { true } else { $0 == .deviceRemoved(Self.one) }
      })
  }

  @Test func `A refused attempt fails, a full adapter too`() throws {
    var conditions = Air.Conditions()
    conditions.refusals = 1
    var stage = Stage(conditions)
    stage.discoverAndStop()
    _ = stage.ask { $0.connect(Self.one, $1) }
    try stage.wait(for: .fail(call(3), .aborted), atMost: .seconds(1))
    stage.adapter.air.conditions.refusals = 0
    stage.adapter.air.conditions.slots = 0
    _ = stage.ask { $0.connect(Self.one, $1) }
    try stage.wait(for: .fail(call(4), .aborted), atMost: .seconds(1))
  }

  @Test func `Links die of bad air`() {
    var conditions = Air.Conditions()
    conditions.linkLife = .seconds(60)
    var stage = Stage(conditions)
    stage.connectOne()
    #expect(stage.pass(.seconds(3600)).contains(.linkClosed(Self.one)))
  }

  // Removal, pairing, power.

  @Test func `RemoveDevice of an idle device goes at once, of an unknown one fails`() {
    var stage = Stage()
    stage.discoverAndStop()
    #expect(stage.ask { $0.removeDevice(Self.one, $1) } == [.deviceRemoved(Self.one), .reply(call(3))])
    #expect(stage.ask { $0.removeDevice(Self.one, $1) } == [.fail(call(4), .doesNotExist)])
  }

  @Test func `RemoveDevice during Connect leaves that call without an answer`() {
    var stage = Stage()
    stage.discoverAndStop()
    _ = stage.ask { $0.connect(Self.one, $1) }
    #expect(
      stage.ask { $0.removeDevice(Self.one, $1) }
        == [.forsake(call(3)), .deviceRemoved(Self.one), .reply(call(4))])
    #expect(!stage.pass(.seconds(60)).contains(.linkOpened(Self.one)))
  }

  @Test func `RemoveDevice of a connected device disconnects it first`() {
    var stage = Stage()
    stage.connectOne()
    #expect(stage.ask { $0.removeDevice(Self.one, $1) } == [.batteryRemoved(Self.one)])
    #expect(
      stage.pass(.seconds(2)) == [
        Self.change(Self.one, ["ServicesResolved": false]), .reply(call(4)),
        Self.change(Self.one, ["Connected": false]), .linkClosed(Self.one), .deviceRemoved(Self.one),
      ])
  }

  @Test func `A board refuses to pair, and the link goes`() {
    var stage = Stage()
    stage.connectOne()
    #expect(
      stage.ask { $0.pair(Self.one, $1) } == [
        .fail(call(4), .authenticationFailed),
        Self.change(Self.one, ["ServicesResolved": false, "Connected": false]), .batteryRemoved(Self.one),
        .linkClosed(Self.one),
      ])
  }

  @Test func `Power off removes what is not connected, ends links and discovery`() {
    var stage = Stage()
    stage.connectOne()
    _ = stage.ask { $0.startDiscovery(by: ":1.1", $1) }
    _ = stage.pass(.milliseconds(100))
    #expect(
      stage.ask { $0.setPowered(false, $1) } == [
        .deviceRemoved(Self.two),
        Self.change(Self.one, ["ServicesResolved": false, "Connected": false]), .batteryRemoved(Self.one),
        .linkClosed(Self.one), .reply(call(5)),
        .adapterChanged(["Powered": .boolean(false), "Discovering": .boolean(false)]),
      ])
    #expect(stage.ask { $0.startDiscovery(by: ":1.1", $1) } == [.fail(call(6), .notReady)])
    #expect(stage.ask { $0.stopDiscovery(by: ":1.1", $1) } == [.fail(call(7), .notReady)])
    #expect(stage.ask { $0.connect(Self.one, $1) } == [.fail(call(8), .adapterOff)])
    #expect(
      stage.ask { $0.setPowered(true, $1) } == [
        .reply(call(9)), .adapterChanged(["Powered": .boolean(true)]),
      ])
    #expect(!stage.adapter.isDiscovering)
    #expect(stage.ask { $0.setPowered(true, $1) } == [.reply(call(10))])
  }
}
