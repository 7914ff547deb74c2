import BoardKit
import DBus
import FleetModel
import Testing

@testable import BlueZ

@Suite struct BlueZDiscoveryTests {
  private let board = ScriptedBoard(1)

  private func isDiscovering(_ event: RadioEvent, _ flag: Bool) -> Bool {
    if case .adapter(let status) = event { status.isDiscovering == flag } else { false }
  }

  @Test func `discovers by our services and reports advertisements`() async throws {
    try await RadioFixture.with { fixture in
      await fixture.radio.discover(true, unfiltered: false)
      #expect(await fixture.events.first { isDiscovering($0, true) } != nil)
      #expect(
        await fixture.fake.lastFilter
          == ["Transport": .string("le"), "UUIDs": .strings([ScriptedBoard.service.description])])
      await fixture.fake.add(board)
      func rssi(_ event: RadioEvent) -> Int? {
        if case .advertisement(let report) = event, report.board == board.id { report.rssi } else { nil }
      }
      #expect(await fixture.events.first { rssi($0) == -60 } != nil)
      await fixture.fake.hear(board.id, rssi: -70)
      #expect(await fixture.events.first { rssi($0) == -70 } != nil)
      await fixture.radio.discover(true, unfiltered: true)
      await fixture.arrival(of: "SetDiscoveryFilter")
      await fixture.arrival(of: "SetDiscoveryFilter")
      #expect(await fixture.fake.lastFilter == ["Transport": .string("le")])
      await fixture.radio.discover(false, unfiltered: false)
      #expect(await fixture.events.first { isDiscovering($0, false) } != nil)
    }
  }

  @Test
  func
    `an adapter that is not used any more is gone and not discovered with; one that is used again is there`()
    async throws
  {
    try await RadioFixture.with { fixture in
      await fixture.radio.discover(true, unfiltered: false)
      _ = await fixture.events.first { isDiscovering($0, true) }
      await fixture.radio.use([AdapterID(BluetoothAddress(rawValue: 42))])
      #expect(await fixture.events.first { $0 == .adapterGone(ScriptedBlueZ.adapterID) } != nil)
      await fixture.arrival(of: "StopDiscovery")
      await fixture.radio.use(nil)
      #expect(await fixture.events.first { isDiscovering($0, true) } != nil)
    }
  }

  @Test
  func `an adapter that is reset goes off and on, and discovers again; one that may not be switched says so`()
    async throws
  {
    try await RadioFixture.with { fixture in
      await fixture.radio.discover(true, unfiltered: false)
      _ = await fixture.events.first { isDiscovering($0, true) }
      try await fixture.radio.reset(ScriptedBlueZ.adapterID)
      await fixture.arrival(of: "Set Powered")
      await fixture.arrival(of: "Set Powered")
      let states = Events<AdapterStatus.State>()
      _ = await fixture.events.first {
        if case .adapter(let status) = $0 { states.send(status.state) }
        return isDiscovering($0, true)
      }
      #expect(await states.next() == .down)
      await fixture.fake.setPowerAnswer(.error("org.freedesktop.DBus.Error.AccessDenied", "no"))
      let refused = await #expect(throws: LinkFailure.self) {
        try await fixture.radio.reset(ScriptedBlueZ.adapterID)
      }
      #expect(refused?.reason == .notPermitted)
      let unknown = await #expect(throws: LinkFailure.self) {
        try await fixture.radio.reset(AdapterID(BluetoothAddress(rawValue: 42)))
      }
      #expect(unknown?.reason == .adapterGone)
    }
  }

  @Test func `F29 strange devices are not reported unless everything is wanted`() async throws {
    try await RadioFixture.with { fixture in
      await fixture.radio.discover(true, unfiltered: false)
      _ = await fixture.events.first { isDiscovering($0, true) }
      await fixture.fake.perform { fake in
        fake.add(ScriptedBoard(2))
        fake.changeDevice(ScriptedBoard(2).id, ["UUIDs": .strings([]), "RSSI": .int16(-1)])
        fake.add(ScriptedBoard(1))
      }
      let advertisementReports = Events<AdvertisementReport>()
      _ = await fixture.events.first {
        if case .advertisement(let report) = $0 { advertisementReports.send(report) }
        if case .advertisement(let report) = $0 { return report.board == ScriptedBoard(1).id }
        return false
      }
      while let report = await advertisementReports.next() {
        #expect(report.rssi != -1)
        if report.board == ScriptedBoard(1).id { break }
      }
    }
  }

  @Test func `F172 a listed board is reported without a service and without a signal strength`() async throws
  {
    try await RadioFixture.with { fixture in
      await fixture.radio.expect([board.id], isSilenceNormal: false)
      await fixture.radio.discover(true, unfiltered: false)
      _ = await fixture.events.first { isDiscovering($0, true) }
      await fixture.fake.perform { [board] fake in
        fake.add(board)
        fake.changeDevice(board.id, ["UUIDs": .strings([]), "RSSI": .int16(127)])
      }
      let bare = await fixture.events.first {
        guard case .advertisement(let report) = $0 else { return false }
        return report.board == board.id && report.services.isEmpty && report.rssi == nil
      }
      #expect(bare != nil)
      // And it is connected by its address.
      await (try fixture.connect(board)).disconnect()
    }
  }

  @Test
  func `F23 discovery pauses while a connection is made, and is restored after success and failure`()
    async throws
  {
    var (good, bad) = (ScriptedBoard(1), ScriptedBoard(2))
    good.connect = .never
    bad.connect = .error("org.bluez.Error.Failed", "le-connection-abort-by-local")
    try await RadioFixture.with(boards: [good, bad]) { [good, bad] fixture in
      await fixture.radio.discover(true, unfiltered: false)
      _ = await fixture.events.first { isDiscovering($0, true) }
      async let link = fixture.connect(good)
      await fixture.arrival(of: "Connect")
      #expect(await !fixture.fake.isDiscovering)
      await fixture.fake.changeDevice(good.id, ["Connected": .boolean(true)])
      await fixture.fake.resolve(good.id)
      let connected = try await link
      #expect(await fixture.events.first { isDiscovering($0, true) } != nil)
      #expect(await fixture.connectFailure(bad)?.reason == .refused)
      #expect(await fixture.events.first { isDiscovering($0, false) } != nil)
      #expect(await fixture.events.first { isDiscovering($0, true) } != nil)
      await connected.disconnect()
    }
  }

  @Test func `F23 one connection at a time on an adapter, in the order they were asked for`() async throws {
    var boards = [ScriptedBoard(1), ScriptedBoard(2), ScriptedBoard(3)]
    for index in boards.indices { boards[index].connect = .never }
    try await RadioFixture.with(boards: boards) { [boards] fixture in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (index, board) in boards.enumerated() {
          group.addTask { await (try fixture.connect(board)).disconnect() }
          while await fixture.radio.queueLength(ScriptedBlueZ.adapterID) <= index { await Task.yield() }
        }
        for board in boards {
          await fixture.arrival(of: "Connect")
          try await fixture.catchUp()
          #expect(await fixture.fake.pendingConnects == [board.id])
          await fixture.fake.changeDevice(board.id, ["Connected": .boolean(true)])
          await fixture.fake.release(board.id, "Connect")
          await fixture.fake.resolve(board.id)
        }
        try await group.waitForAll()
      }
    }
  }

  @Test func `the next board is connected while the services of the first are resolved`() async throws {
    var slow = ScriptedBoard(1)
    slow.resolvesServices = false
    let next = ScriptedBoard(2)
    try await RadioFixture.with(boards: [slow, next]) { [slow] fixture in
      async let first = fixture.connect(slow)
      await fixture.arrival(of: "Connect")
      let second = try await fixture.connect(next)
      await fixture.fake.resolve(slow.id)
      await (try first).disconnect()
      await second.disconnect()
    }
  }

  @Test func `F19 discovery that is stuck in progress is stopped and begun anew`() async throws {
    try await RadioFixture.with { fixture in
      await fixture.fake.setDiscoveryAnswers([
        .error("org.bluez.Error.InProgress", "Operation already in progress")
      ])
      await fixture.radio.discover(true, unfiltered: false)
      await fixture.arrival(of: "StopDiscovery")
      #expect(await fixture.events.first { isDiscovering($0, true) } != nil)
    }
  }

  @Test func `F20 a scan that receives nothing although a board is missing is restarted, and that is told`()
    async throws
  {
    var policy = RadioFixture.longTimeouts
    policy.deaf = .milliseconds(90)
    try await RadioFixture.with(policy: policy) { fixture in
      await fixture.radio.expect([board.id], isSilenceNormal: false)
      await fixture.radio.discover(true, unfiltered: false)
      #expect(await fixture.events.first { $0 == .scanRestarted(ScriptedBlueZ.adapterID) } != nil)
      await fixture.arrival(of: "StopDiscovery")
      await fixture.arrival(of: "StartDiscovery")
    }
  }

  @Test func `F19 discovery that ends by itself without a word is noticed`() async throws {
    var policy = RadioFixture.longTimeouts
    policy.verify = .milliseconds(20)
    policy.quiet = .milliseconds(10)
    try await RadioFixture.with(policy: policy) { fixture in
      await fixture.radio.discover(true, unfiltered: false)
      _ = await fixture.events.first { isDiscovering($0, true) }
      await fixture.fake.changeAdapter(["Discovering": .boolean(false)], silently: true)
      #expect(await fixture.events.first { isDiscovering($0, true) } != nil)
    }
  }
}

extension BlueZRadio {
  func queueLength(_ adapter: AdapterID) -> Int { contexts[adapter]?.queueLength ?? 0 }
}
