import BoardKit
import DBus
import EventLoops
import FleetModel
import Support
import Testing

@testable import BlueZ

@Suite struct BlueZAvailabilityTests {
  private let board = ScriptedBoard(1)
  private let adapter = ScriptedBlueZ.adapterID

  private func isUnavailable(_ event: RadioEvent) -> Bool {
    if case .service(isAvailable: false, _) = event { true } else { false }
  }

  private func status(_ event: RadioEvent) -> AdapterStatus? {
    if case .adapter(let status) = event { status } else { nil }
  }

  private func quick(_ change: (inout BlueZPolicy) -> Void) -> BlueZPolicy {
    var policy = RadioFixture.longTimeouts
    change(&policy)
    return policy
  }

  @Test func `F11 BlueZ is absent at start and picked up when it appears`() async throws {
    try await RadioFixture.with(appears: false) { fixture in
      #expect(await fixture.events.first(where: isUnavailable) != nil)
      #expect(await fixture.connectFailure(board)?.reason == .serviceGone)
      await fixture.fake.add(board)
      try await fixture.fake.appear()
      await fixture.available()
      let link = try await fixture.connect(board)
      await link.disconnect()
    }
  }

  @Test func `F11 BlueZ hangs on its first call, and is asked again`() async throws {
    let policy = quick {
      $0.call = .milliseconds(200); $0.firstRetry = .milliseconds(1)
    }
    try await RadioFixture.with(policy: policy, appears: false) { fixture in
      // Somebody who owns the name and says nothing.
      let loop = try EventLoop(name: "mute")
      defer { loop.stop() }
      let mute = try await DBusConnection.open(fixture.bus.address, on: loop)
      let asked = Events<Void>()
      await mute.serve { _ in asked.send(()) }
      try await mute.requestName("org.bluez")
      _ = await asked.next()
      _ = await fixture.events.first(where: isUnavailable)
      // More often than anything else could have woken it.
      for _ in 0..<5 { _ = await asked.next() }
      await mute.close()
      try await fixture.fake.appear()
      await fixture.available()
    }
  }

  @Test func `F10 when bluetoothd dies every link ends, and the next life is used from scratch`() async throws
  {
    try await RadioFixture.with(boards: [board]) { fixture in
      let link = try await fixture.connect(board)
      let recorder = await LinkRecorder(link)
      try await link.subscribe(to: ScriptedBoard.notify)
      try await fixture.fake.connection.releaseName("org.bluez")
      #expect(await recorder.next() == .end(.serviceGone))
      #expect(
        await fixture.events.first { $0 == .connection(board.id, adapter, isConnected: false) } != nil)
      #expect(await fixture.events.first { $0 == .adapterGone(adapter) } != nil)
      await link.disconnect()
      // The old life is not heard any more.
      await fixture.fake.dropLink(board.id)
      try await fixture.fake.connection.requestName("org.bluez")
      await fixture.available()
      let again = try await fixture.connect(board)
      await again.disconnect()
    }
  }

  @Test func `F10 what another program says about BlueZ's objects does not count`() async throws {
    try await RadioFixture.with(boards: [board]) { fixture in
      let recorder = await LinkRecorder(try await fixture.connect(board))
      let loop = try EventLoop(name: "impostor")
      defer { loop.stop() }
      let impostor = try await DBusConnection.open(fixture.bus.address, on: loop)
      // Addressed to the radio itself, so that no match rule is asked.
      let victim = try #require(await fixture.radio.service?.bus.uniqueName)
      try await impostor.emit(
        DBusSignal(
          board.path, "org.freedesktop.DBus.Properties", "PropertiesChanged",
          [.string("org.bluez.Device1"), .properties(["Connected": .boolean(false)]), .strings([])]),
        to: victim)
      _ = try? await impostor.call(
        DBusMethodCall(to: victim, "/", "test.I", "AfterThat"), deadline: .seconds(600))
      recorder.items.send(.packet([]))
      #expect(await recorder.next() == .packet([]))
      await impostor.close()
    }
  }

  @Test func `F10 an attempt under way ends with bluetoothd`() async throws {
    var board = board
    board.connect = .never
    try await RadioFixture.with(boards: [board]) { [board] fixture in
      async let failure = fixture.connectFailure(board)
      await fixture.arrival(of: "Connect")
      try await fixture.fake.connection.releaseName("org.bluez")
      #expect(await failure?.reason == .serviceGone)
    }
  }

  @Test func `F12 when the bus dies every link ends, and a new bus connection is tried`() async throws {
    let policy = quick { $0.firstRetry = .milliseconds(1) }
    try await RadioFixture.with(policy: policy, boards: [board]) { fixture in
      let recorder = await LinkRecorder(try await fixture.connect(board))
      fixture.bus.crash()
      #expect(await recorder.next() == .end(.serviceGone))
      #expect(await fixture.events.first(where: isUnavailable) != nil)
      let again = await fixture.events.first {
        if case .service(isAvailable: false, let message) = $0 {
          message.contains("cannot connect to D-Bus")
        } else {
          false
        }
      }
      #expect(again != nil)
    }
  }

  @Test func `F12 on the next bus boards are served as on the first`() async throws {
    let policy = quick { $0.firstRetry = .milliseconds(1) }
    try await RadioFixture.with(policy: policy, boards: [board]) { fixture in
      let recorder = await LinkRecorder(try await fixture.connect(board))
      fixture.bus.crash()
      #expect(await recorder.next() == .end(.serviceGone))
      try fixture.bus.restart()
      let loop = try EventLoop(name: "next bluetoothd")
      defer { loop.stop() }
      let next = try await ScriptedBlueZ.start(fixture.bus.address, on: loop)
      await next.add(board)
      try await next.appear()
      await fixture.available()
      let again = try await fixture.connect(board)
      await again.disconnect()
      await next.connection.close()
    }
  }

  @Test func `F18 an adapter that is off is switched on once, without asking again and again`() async throws {
    try await RadioFixture.with(appears: false) { fixture in
      try await fixture.fake.appear(isPowered: false)
      await fixture.available()
      await fixture.arrival(of: "Set Powered")
      #expect(await fixture.events.first { status($0)?.state == .up } != nil)
    }
  }

  @Test
  func `F18 an adapter that cannot be switched on is blocked, and says why to who wants to connect`()
    async throws
  {
    try await RadioFixture.with(appears: false) { fixture in
      await fixture.fake.setPowerAnswer(.error("org.bluez.Error.Blocked", "Blocked through rfkill"))
      await fixture.fake.add(board)
      try await fixture.fake.appear(isPowered: false)
      #expect(await fixture.events.first { status($0)?.state == .blocked } != nil)
      let failure = await fixture.connectFailure(board)
      #expect(failure?.reason == .adapterOff)
      #expect(failure?.message.contains("Blocked through rfkill") == true)
    }
  }

  @Test func `F18 an adapter that is switched off ends its links`() async throws {
    try await RadioFixture.with(boards: [board]) { fixture in
      let recorder = await LinkRecorder(try await fixture.connect(board))
      await fixture.fake.setPowerAnswer(.never)
      await fixture.fake.perform { fake in
        fake.changeAdapter(["Powered": .boolean(false)])
        fake.dropLink(board.id)
      }
      #expect(await recorder.next() == .end(.adapterOff))
    }
  }

  @Test func `F16 an adapter that goes away ends its links; F15 it is served again when it returns`()
    async throws
  {
    try await RadioFixture.with(boards: [board]) { fixture in
      let recorder = await LinkRecorder(try await fixture.connect(board))
      await fixture.fake.vanishAdapter()
      #expect(await recorder.next() == .end(.adapterGone))
      #expect(await fixture.events.first { $0 == .adapterGone(adapter) } != nil)
      #expect(await fixture.connectFailure(board)?.reason == .adapterGone)
      await fixture.fake.addAdapter(at: "/org/bluez/hci1")
      #expect(await fixture.events.first { status($0)?.name == "hci1" } != nil)
    }
  }
}
