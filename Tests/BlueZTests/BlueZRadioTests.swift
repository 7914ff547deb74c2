import BoardKit
import DBus
import FleetModel
import Synchronization
import Testing

@testable import BlueZ

@Suite struct BlueZRadioTests {
  private let board = ScriptedBoard(1)
  private let adapter = ScriptedBlueZ.adapterID

  private func isService(_ event: RadioEvent, available: Bool) -> Bool {
    if case .service(isAvailable: available, _) = event { true } else { false }
  }

  private func connection(_ isConnected: Bool) -> RadioEvent {
    .connection(board.id, adapter, isConnected: isConnected)
  }

  @Test func `connects writes reads notifies and disconnects`() async throws {
    try await RadioFixture.with(boards: [board]) { fixture in
      let link = try await fixture.connect(board)
      let recorder = await LinkRecorder(link)
      try await link.subscribe(to: ScriptedBoard.notify)
      await fixture.fake.notify(board.id, [1, 2, 3])
      await fixture.fake.notify(board.id, [4])
      #expect(await recorder.next() == .packet([1, 2, 3]))
      #expect(await recorder.next() == .packet([4]))
      try await link.write([9, 9], to: ScriptedBoard.command, as: .command)
      #expect(await fixture.fake.written.next() == [9, 9])
      try await link.write([8], to: ScriptedBoard.command, as: .request)
      #expect(await fixture.fake.calls.first { $0.hasPrefix("write") } == "write command")
      #expect(await fixture.fake.calls.first { $0.hasPrefix("write") } == "write request")
      let value = try await link.read(ScriptedBoard.notify)
      #expect(value == board.value)
      await link.disconnect()
      #expect(await recorder.next() == .end(.closed))
      #expect(await !fixture.fake.isConnected(board.id))
      await #expect(throws: LinkFailure.self) {
        try await link.write([1], to: ScriptedBoard.command, as: .command)
      }
      // Again: nothing happens.
      await link.disconnect()
    }
  }

  @Test func `writes keep their order`() async throws {
    try await RadioFixture.with(boards: [board]) { fixture in
      let link = try await fixture.connect(board)
      for number in 0..<100 as Range<UInt8> {
        try await link.write([number], to: ScriptedBoard.command, as: .command)
      }
      for number in 0..<100 as Range<UInt8> { #expect(await fixture.fake.written.next() == [number]) }
      await link.disconnect()
    }
  }

  @Test func `a second connection is a new link although the attributes are not announced again`()
    async throws
  {
    try await RadioFixture.with(boards: [board]) { fixture in
      for _ in 0..<3 {
        let link = try await fixture.connect(board)
        let recorder = await LinkRecorder(link)
        try await link.subscribe(to: ScriptedBoard.notify)
        await fixture.fake.notify(board.id, [1])
        #expect(await recorder.next() == .packet([1]))
        await link.disconnect()
      }
    }
  }

  @Test func `connected is not announced by BlueZ`() async throws {
    var board = board
    board.announcesConnected = false
    try await RadioFixture.with(boards: [board]) { fixture in
      let link = try await fixture.connect(board)
      #expect(await fixture.events.first { $0 == connection(true) } != nil)
      await link.disconnect()
    }
  }

  @Test func `F03 Connect is never answered, but the properties flip`() async throws {
    var board = board
    board.connect = .never
    try await RadioFixture.with(boards: [board]) { [board] fixture in
      async let link = fixture.connect(board)
      await fixture.arrival(of: "Connect")
      await fixture.fake.changeDevice(board.id, ["Connected": .boolean(true)])
      await fixture.fake.resolve(board.id)
      let connected = try await link
      // The late answer does not disturb.
      await fixture.fake.release(board.id, "Connect", .error("org.bluez.Error.Failed", "late"))
      try await connected.write([1], to: ScriptedBoard.command, as: .command)
      await connected.disconnect()
    }
  }

  @Test
  func `F03 Connect is never answered and nothing flips: given up, cancelled, and others are not held up`()
    async throws
  {
    var board = board
    board.connect = .never
    let other = ScriptedBoard(2)
    var policy = RadioFixture.longTimeouts
    policy.disconnectTimeout = .milliseconds(250)
    try await RadioFixture.with(policy: policy, boards: [board, other]) { [board] fixture in
      #expect(await fixture.connectFailure(board, timeout: .milliseconds(100))?.reason == .unreachable)
      await fixture.arrival(of: "Disconnect")
      let link = try await fixture.connect(other)
      await link.disconnect()
    }
  }

  @Test func `F02 an aborted attempt waits until the device is down`() async throws {
    var board = board
    board.connectFirst = [.error("org.bluez.Error.Failed", "le-connection-abort-by-local")]
    try await RadioFixture.with(boards: [board]) { [board] fixture in
      #expect(await fixture.connectFailure(board)?.reason == .refused)
      let link = try await fixture.connect(board)
      await link.disconnect()
    }
  }

  @Test func `F01 an attempt that hangs in BlueZ is cancelled, and the board connected`() async throws {
    var board = board
    board.connectFirst = [.error("org.bluez.Error.Failed", "Operation already in progress")]
    try await RadioFixture.with(boards: [board]) { [board] fixture in
      let link = try await fixture.connect(board)
      await fixture.arrival(of: "Disconnect")
      await fixture.arrival(of: "Connect")
      await link.disconnect()
    }
  }

  @Test func `F01 an attempt that goes on hanging gets the device removed`() async throws {
    var board = board
    board.connect = .error("org.bluez.Error.InProgress", "In Progress")
    try await RadioFixture.with(boards: [board]) { [board] fixture in
      #expect(await fixture.connectFailure(board)?.reason == .adapterBusy)
      await fixture.arrival(of: "RemoveDevice")
      #expect(await fixture.connectFailure(board)?.reason == .unreachable)
    }
  }

  @Test func `F05 services are announced before the objects exist`() async throws {
    var board = board
    board.resolvesServices = false
    try await RadioFixture.with(boards: [board]) { [board] fixture in
      async let link = fixture.connect(board)
      await fixture.arrival(of: "Connect")
      await fixture.fake.announceResolved(board.id, withAttributes: false)
      await fixture.fake.resolve(board.id)
      await (try link).disconnect()
    }
  }

  @Test func `F05 services that never come are given up, and the link is taken down`() async throws {
    var board = board
    board.resolvesServices = false
    var policy = RadioFixture.longTimeouts
    policy.services = .milliseconds(100)
    try await RadioFixture.with(policy: policy, boards: [board]) { [board] fixture in
      #expect(await fixture.connectFailure(board)?.reason == .servicesMissing)
      #expect(await !fixture.fake.isConnected(board.id))
    }
  }

  @Test func `services resolved is not announced by BlueZ`() async throws {
    var board = board
    board.announcesResolved = false
    var policy = RadioFixture.longTimeouts
    policy.refreshInterval = .milliseconds(10)
    try await RadioFixture.with(policy: policy, boards: [board]) { [board] fixture in
      let link = try await fixture.connect(board)
      await link.disconnect()
    }
  }

  @Test func `a board that is not known is unreachable`() async throws {
    try await RadioFixture.with { fixture in
      #expect(await fixture.connectFailure(board)?.reason == .unreachable)
    }
  }

  @Test func `a cancelled attempt is cancelled in BlueZ too`() async throws {
    var board = board
    board.connect = .never
    try await RadioFixture.with(boards: [board]) { [board] fixture in
      let attempt = Task { await fixture.connectFailure(board) }
      await fixture.arrival(of: "Connect")
      attempt.cancel()
      #expect(await attempt.value?.reason == .closed)
      await fixture.arrival(of: "Disconnect")
    }
  }

  @Test func `F09 a board that BlueZ holds connected is reported and adopted`() async throws {
    try await RadioFixture.with(appears: false) { fixture in
      await fixture.fake.add(board, isConnected: true)
      try await fixture.fake.appear()
      #expect(await fixture.events.first { $0 == connection(true) } != nil)
      await fixture.available()
      let link = try await fixture.connect(board)
      try await link.subscribe(to: ScriptedBoard.notify)
      await link.disconnect()
      #expect(await !fixture.fake.isConnected(board.id))
    }
  }

  @Test
  func `F09 links that were left behind are taken over without pausing discovery for each of them`()
    async throws
  {
    try await RadioFixture.with(appears: false) { fixture in
      await fixture.fake.add(board, isConnected: true)
      try await fixture.fake.appear()
      await fixture.available()
      await fixture.radio.discover(true, unfiltered: false)
      await fixture.arrival(of: "StartDiscovery")
      _ = try await fixture.connect(board)
      #expect(await fixture.fake.calls.first { $0 == "StopDiscovery" || $0 == "Connect" } == "Connect")
    }
  }

  @Test func `F07 a device that vanishes ends its link once, and is found again by its address`() async throws
  {
    try await RadioFixture.with(boards: [board]) { fixture in
      let recorder = await LinkRecorder(try await fixture.connect(board))
      await fixture.fake.vanish(board.id)
      #expect(await recorder.next() == .end(.deviceGone))
      await fixture.fake.add(board)
      try await fixture.catchUp()
      let again = try await fixture.connect(board)
      await again.disconnect()
    }
  }

  @Test func `F04 a link that Disconnect does not end gets its device removed`() async throws {
    var board = board
    board.disconnect = .never
    var policy = RadioFixture.longTimeouts
    policy.disconnectTimeout = .milliseconds(50)
    try await RadioFixture.with(policy: policy, boards: [board]) { [board] fixture in
      let link = try await fixture.connect(board)
      await link.disconnect()
      await fixture.arrival(of: "RemoveDevice")
      #expect(await fixture.connectFailure(board)?.reason == .unreachable)
    }
  }

  @Test func `F30 a board is disconnected before it is forgotten`() async throws {
    try await RadioFixture.with(boards: [board]) { fixture in
      let recorder = await LinkRecorder(try await fixture.connect(board))
      await fixture.radio.forget(board.id, on: adapter)
      #expect(await recorder.next() == .end(.closed))
      #expect(await fixture.fake.calls.first { $0 == "Disconnect" || $0 == "RemoveDevice" } == "Disconnect")
      await fixture.arrival(of: "RemoveDevice")
    }
  }
}
