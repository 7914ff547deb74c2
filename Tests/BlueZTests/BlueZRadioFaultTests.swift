import BoardKit
import DBus
import FleetModel
import Testing

@testable import BlueZ

/// Faults of single devices, at the bus.
@Suite struct BlueZRadioFaultTests {
  private let board = ScriptedBoard(1)

  @Test
  func `F04 a device that stays up although its attempt failed is removed, so that it can be found anew`()
    async throws
  {
    var board = board
    board.resolvesServices = false
    board.disconnect = .never
    var policy = RadioFixture.longTimeouts
    (policy.services, policy.disconnectTimeout) = (.milliseconds(50), .milliseconds(50))
    try await RadioFixture.with(policy: policy, boards: [board]) { [board] fixture in
      #expect(await fixture.connectFailure(board)?.reason == .servicesMissing)
      await fixture.arrival(of: "RemoveDevice")
    }
  }

  @Test func `F04 a link whose calls fail ends, its device is removed and found again`() async throws {
    var board = board
    board.disconnect = .never
    var policy = RadioFixture.longTimeouts
    policy.disconnectTimeout = .milliseconds(50)
    try await RadioFixture.with(policy: policy, boards: [board]) { [board] fixture in
      let link = try await fixture.connect(board)
      await fixture.fake.change(board.id) {
        $0.read = .error("org.bluez.Error.Failed", "Not connected")
      }
      let failure = await #expect(throws: LinkFailure.self) { try await link.read(ScriptedBoard.notify) }
      #expect(failure?.reason == .linkLost)
      await link.disconnect()
      await fixture.arrival(of: "RemoveDevice")
      await fixture.fake.add(ScriptedBoard(1))
      try await fixture.catchUp()
      let again = try await fixture.connect(board)
      #expect(try await again.read(ScriptedBoard.notify) == board.value)
      await again.disconnect()
    }
  }

  @Test(
    arguments: ["0x01", "0x0a"])
  func `F06 an unknown handle says that what BlueZ remembers of the board is out of date`(code: String)
    async throws
  {
    var board = board
    board.read = .error("org.bluez.Error.Failed", "Operation failed with ATT error: \(code)")
    try await RadioFixture.with(boards: [board]) { [board] fixture in
      let link = try await fixture.connect(board)
      let failure = await #expect(throws: LinkFailure.self) { try await link.read(ScriptedBoard.notify) }
      #expect(failure?.recovery == .rediscover)
      await link.disconnect()
    }
  }

  @Test func `F07 a device that vanishes while it is connected ends the attempt`() async throws {
    var board = board
    board.connect = .never
    try await RadioFixture.with(boards: [board]) { [board] fixture in
      async let failure = fixture.connectFailure(board)
      await fixture.arrival(of: "Connect")
      await fixture.fake.vanish(board.id)
      #expect(await failure?.reason == .deviceGone)
    }
  }

  @Test func `F07 a device that vanishes during a read fails the read, and ends the link`() async throws {
    var board = board
    board.read = .never
    try await RadioFixture.with(boards: [board]) { [board] fixture in
      let link = try await fixture.connect(board)
      let recorder = await LinkRecorder(link)
      let reading = Task { try await link.read(ScriptedBoard.notify) }
      await fixture.arrival(of: "ReadValue")
      await fixture.fake.vanish(board.id)
      let failure = await #expect(throws: LinkFailure.self) { try await reading.value }
      #expect(failure?.reason == .deviceGone)
      #expect(await recorder.next() == .end(.deviceGone))
    }
  }

  @Test func `F08 a link that another client opened and uses is left to it`() async throws {
    var board = board
    board.acquire = [.error("org.bluez.Error.NotPermitted", "Notify acquired")]
    try await RadioFixture.with(appears: false) { [board] fixture in
      await fixture.fake.add(board, isConnected: true)
      try await fixture.fake.appear()
      await fixture.available()
      let link = try await fixture.connect(board)
      let failure = await #expect(throws: LinkFailure.self) {
        try await link.subscribe(to: ScriptedBoard.notify)
      }
      #expect(failure?.reason == .busyElsewhere)
      await link.disconnect()
      #expect(await fixture.fake.isConnected(board.id))
    }
  }

  @Test func `F08 a link that we opened is ended by us, whoever has its notifications`() async throws {
    var board = board
    board.acquire = [.error("org.bluez.Error.NotPermitted", "Notify acquired")]
    try await RadioFixture.with(boards: [board]) { [board] fixture in
      let link = try await fixture.connect(board)
      await #expect(throws: LinkFailure.self) { try await link.subscribe(to: ScriptedBoard.notify) }
      await link.disconnect()
      #expect(await !fixture.fake.isConnected(board.id))
    }
  }
}
