import BoardKit
import DBus
import Dispatch
import EventLoops
import FleetModel
import Testing

@testable import BlueZ

@Suite struct BlueZLinkTests {
  private let board = ScriptedBoard(1)
  private let inProgress = ScriptedBoard.Answer.error("org.bluez.Error.InProgress", "In Progress")

  /// A link with a recorder on it.
  private func with(
    _ board: ScriptedBoard, policy: BlueZPolicy = RadioFixture.longTimeouts,
    _ body: (RadioFixture, any BoardLink, LinkRecorder) async throws -> Void
  ) async throws {
    try await RadioFixture.with(policy: policy, boards: [board]) { fixture in
      let link = try await fixture.connect(board)
      let recorder = await LinkRecorder(link)
      try await body(fixture, link, recorder)
      await link.disconnect()
    }
  }

  @Test func `F08 a StartNotify left over is stopped once, then the socket is acquired`() async throws {
    var board = board
    board.acquire = [inProgress, .yes]
    try await with(board) { fixture, link, recorder in
      try await link.subscribe(to: ScriptedBoard.notify)
      for call in ["AcquireNotify", "StopNotify", "AcquireNotify"] {
        #expect(await fixture.fake.calls.first { $0.hasSuffix("Notify") } == call)
      }
      await fixture.fake.notify(board.id, [1])
      #expect(await recorder.next() == .packet([1]))
    }
  }

  @Test(arguments: [true, false])
  func `F08 where no socket is to be had, notifications come as signals`(isLeftOver: Bool) async throws {
    var board = board
    board.acquire =
      isLeftOver
      ? [inProgress, inProgress] : [.error("org.bluez.Error.NotSupported", "Operation is not supported")]
    try await with(board) { fixture, link, recorder in
      try await link.subscribe(to: ScriptedBoard.notify)
      await fixture.arrival(of: "StartNotify")
      await fixture.fake.signal(board.id, [1])
      await fixture.fake.signal(board.id, [1])
      #expect(await recorder.next() == .packet([1]))
      #expect(await recorder.next() == .packet([1]))
      // What a read makes BlueZ signal is not a notification.
      let value = try await link.read(ScriptedBoard.notify)
      #expect(value == board.value)
      await fixture.fake.signal(board.id, [2])
      #expect(await recorder.next() == .packet([2]))
    }
  }

  @Test func `with a socket signalled values are not notifications`() async throws {
    try await with(board) { fixture, link, recorder in
      try await link.subscribe(to: ScriptedBoard.notify)
      _ = try await link.read(ScriptedBoard.notify)
      await fixture.fake.notify(board.id, [1])
      #expect(await recorder.next() == .packet([1]))
    }
  }

  @Test func `F275 notifications that nobody wants any more are ended at BlueZ, and can be had again`()
    async throws
  {
    try await with(board) { fixture, link, recorder in
      try await link.subscribe(to: ScriptedBoard.notify)
      await link.unsubscribe(from: ScriptedBoard.notify)
      await fixture.arrival(of: "StopNotify")
      try await link.subscribe(to: ScriptedBoard.notify)
      await fixture.fake.notify(board.id, [2])
      #expect(await recorder.next() == .packet([2]))
    }
  }

  @Test func `F08 a socket that another client has makes the board busy elsewhere`() async throws {
    var board = board
    board.acquire = [.error("org.bluez.Error.NotPermitted", "Notify acquired")]
    try await with(board) { _, link, _ in
      let failure = await #expect(throws: LinkFailure.self) {
        try await link.subscribe(to: ScriptedBoard.notify)
      }
      #expect(failure?.reason == .busyElsewhere)
    }
  }

  @Test func `what the board does not have is missing`() async throws {
    try await with(board) { _, link, _ in
      let other = Characteristic(service: ScriptedBoard.service, uuid: AttributeUUID(assigned: 0x2A19))
      let failure = await #expect(throws: LinkFailure.self) { try await link.read(other) }
      #expect(failure?.reason == .servicesMissing)
    }
  }

  @Test
  func `F26 the property first, then the hang-up: lost once, and what had arrived is delivered before`()
    async throws
  {
    try await with(board) { fixture, link, recorder in
      try await link.subscribe(to: ScriptedBoard.notify)
      await fixture.fake.perform { fake in
        fake.notify(board.id, [1])
        fake.notify(board.id, [2])
        fake.dropLink(board.id)
        fake.hangUp(board.id)
      }
      #expect(await recorder.next() == .packet([1]))
      #expect(await recorder.next() == .packet([2]))
      #expect(await recorder.next() == .end(.linkLost))
      await link.disconnect()
      recorder.items.send(.packet([0xFF]))
      #expect(await recorder.next() == .packet([0xFF]), "ended twice")
    }
  }

  @Test func `F26 what had arrived when the link ends is delivered before the end`() async throws {
    try await with(board) { fixture, link, recorder in
      try await link.subscribe(to: ScriptedBoard.notify)
      let fake = fixture.fake
      // The radio's loop stands still until the packets are in its socket, then hears of the end first.
      await fixture.radio.perform { radio in
        let sent = DispatchSemaphore(value: 0)
        fake.connection.loop.execute {
          fake.assumeIsolated { fake in
            fake.notify(board.id, [1])
            fake.notify(board.id, [2])
          }
          sent.signal()
        }
        sent.wait()
        radio.endLink(
          of: DeviceKey(board: board.id, adapter: RadioFixture.adapter),
          LinkFailure(.linkLost, "the connection was lost"))
      }
      #expect(await recorder.next() == .packet([1]))
      #expect(await recorder.next() == .packet([2]))
      #expect(await recorder.next() == .end(.linkLost))
    }
  }

  @Test func `F26 the hang-up first, then the property: lost once`() async throws {
    try await with(board) { fixture, link, recorder in
      try await link.subscribe(to: ScriptedBoard.notify)
      await fixture.fake.changeDevice(board.id, ["Connected": .boolean(false)], silently: true)
      await fixture.fake.perform { fake in
        fake.notify(board.id, [1])
        fake.hangUp(board.id)
      }
      #expect(await recorder.next() == .packet([1]))
      #expect(await recorder.next() == .end(.linkLost))
      await fixture.fake.dropLink(board.id)
      recorder.items.send(.packet([0xFF]))
      #expect(await recorder.next() == .packet([0xFF]), "ended twice")
    }
  }

  @Test func `F26 a hang-up while the link is up ends it too`() async throws {
    try await with(board) { fixture, link, recorder in
      try await link.subscribe(to: ScriptedBoard.notify)
      await fixture.fake.hangUp(board.id)
      #expect(await recorder.next() == .end(.busyElsewhere))
      await link.disconnect()
      #expect(await !fixture.fake.isConnected(board.id))
    }
  }

  @Test func `F25 an empty notification is not the end`() async throws {
    try await with(board) { fixture, link, recorder in
      try await link.subscribe(to: ScriptedBoard.notify)
      await fixture.fake.perform { fake in
        fake.notify(board.id, [])
        fake.notify(board.id, [1])
      }
      #expect(await recorder.next() == .packet([1]))
    }
  }

  @Test func `F24 a burst is delivered whole and in order`() async throws {
    try await with(board) { fixture, link, recorder in
      try await link.subscribe(to: ScriptedBoard.notify)
      for block in 0..<5 {
        await fixture.fake.perform { fake in
          for number in 0..<100 { fake.notify(board.id, [UInt8(block), UInt8(number)]) }
        }
        for number in 0..<100 { #expect(await recorder.next() == .packet([UInt8(block), UInt8(number)])) }
      }
    }
  }

  @Test
  func
    `F24 five hundred notifications while nobody reads: what found room comes in order, and the link lives on`()
    async throws
  {
    try await with(board) { fixture, link, recorder in
      try await link.subscribe(to: ScriptedBoard.notify)
      let fake = fixture.fake
      await fixture.radio.perform { _ in
        let sent = DispatchSemaphore(value: 0)
        fake.connection.loop.execute {
          fake.assumeIsolated { fake in
            for number in 0..<500 { fake.notify(board.id, [UInt8(number & 0xFF), UInt8(number >> 8)]) }
          }
          sent.signal()
        }
        sent.wait()
      }
      try await link.write([1], to: ScriptedBoard.command, as: .request)
      await fixture.fake.notify(board.id, [0xFF, 0xFF])
      var arrived: [Int] = []
      while case .packet(let packet) = await recorder.next(), packet != [0xFF, 0xFF] {
        arrived.append(Int(packet[0]) | Int(packet[1]) << 8)
      }
      #expect(arrived == Array(0..<arrived.count))
      #expect((100..<500).contains(arrived.count))
    }
  }

  @Test func `a call under way ends with the link`() async throws {
    var board = board
    board.read = .never
    try await with(board) { fixture, link, recorder in
      let reading = Task { try await link.read(ScriptedBoard.notify) }
      await fixture.arrival(of: "ReadValue")
      await fixture.fake.dropLink(board.id)
      let failure = await #expect(throws: LinkFailure.self) { try await reading.value }
      #expect(failure?.reason == .linkLost)
      #expect(await recorder.next() == .end(.linkLost))
    }
  }

  @Test func `calls have a deadline`() async throws {
    var board = board
    board.read = .never
    var policy = RadioFixture.longTimeouts
    policy.attribute = .milliseconds(200)
    try await with(board, policy: policy) { _, link, _ in
      let failure = await #expect(throws: LinkFailure.self) { try await link.read(ScriptedBoard.notify) }
      #expect(failure?.reason == .timedOut)
    }
  }

  @Test func `opening a link that has ended reports the end at once`() async throws {
    try await RadioFixture.with(boards: [board]) { fixture in
      let link = try await fixture.connect(board)
      await fixture.fake.dropLink(board.id)
      _ = await fixture.events.first {
        if case .connection(_, _, isConnected: false) = $0 { true } else { false }
      }
      let recorder = await LinkRecorder(link)
      #expect(await recorder.next() == .end(.linkLost))
    }
  }
}

extension BlueZRadio {
  /// Several steps without a pause between them.
  func perform(_ body: @Sendable (isolated BlueZRadio) -> Void) { body(self) }
}
