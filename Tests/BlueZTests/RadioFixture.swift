import BoardKit
import DBus
import EventLoops
import FleetModel
import Support
import Synchronization

@testable import BlueZ

/// A private bus with a scripted BlueZ on it and the radio under test, each on a loop of its own.
struct RadioFixture {
  let bus: PrivateBus
  let fake: ScriptedBlueZ
  let radio: BlueZRadio
  /// What the radio reports, in order.
  let events: Events<RadioEvent>

  static let adapter = ScriptedBlueZ.adapterID

  /// A policy that never runs out, so that tests about something else do not depend on time.
  static var longTimeouts: BlueZPolicy {
    var policy = BlueZPolicy()
    (policy.call, policy.attribute, policy.services, policy.disconnectTimeout) = (
      .seconds(600), .seconds(600), .seconds(600), .seconds(600)
    )
    return policy
  }

  /// `appears`: whether BlueZ is there, and known, when the body begins.
  static func with(
    policy: BlueZPolicy = longTimeouts, appears: Bool = true, boards: [ScriptedBoard] = [],
    _ body: (RadioFixture) async throws -> Void
  ) async throws {
    let (radioLoop, fakeLoop) = (try EventLoop(name: "radio"), try EventLoop(name: "bluetoothd"))
    defer {
      radioLoop.stop()
      fakeLoop.stop()
    }
    try await PrivateBus.with { bus in
      let fake = try await ScriptedBlueZ.start(bus.address, on: fakeLoop)
      let setup = BlueZSetup(
        services: [ScriptedBoard.service], characteristics: [[ScriptedBoard.notify, ScriptedBoard.command]],
        policy: policy)
      let radio = BlueZRadio(setup, on: radioLoop, address: bus.address, timekeeper: HostTime())
      let fixture = RadioFixture(bus: bus, fake: fake, radio: radio, events: Events())
      if appears {
        for board in boards { await fake.add(board) }
        try await fake.appear()
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await radio.run() }
        group.addTask { for await event in radio.events { fixture.events.send(event) } }
        if appears { await fixture.available() }
        try await body(fixture)
        group.cancelAll()
      }
      await fake.connection.close()
    }
  }

  /// Waits until BlueZ can be used.
  func available() async {
    _ = await events.first { if case .service(isAvailable: true, _) = $0 { true } else { false } }
  }

  func connect(_ board: ScriptedBoard, timeout: Duration = .seconds(600)) async throws(LinkFailure)
    -> any BoardLink
  {
    try await radio.connect(to: board.id, via: Self.adapter, timeout: timeout)
  }

  func connectFailure(_ board: ScriptedBoard, timeout: Duration = .seconds(600)) async -> LinkFailure? {
    do throws(LinkFailure) {
      _ = try await connect(board, timeout: timeout)
      return nil
    } catch {
      return error
    }
  }

  /// Until the radio and BlueZ have seen what the other has sent so far.
  func catchUp() async throws {
    if let service = await radio.service { try await radio.list(service) }
  }

  /// Until a call of this name arrives at BlueZ.
  func arrival(of call: String) async { _ = await fake.calls.first { $0 == call } }
}

/// What a link delivered.
struct LinkRecorder {
  enum Item: Hashable, Sendable {
    case packet([UInt8])
    case end(LinkFailure.Reason)
  }

  let items = Events<Item>()

  init(_ link: any BoardLink) async {
    await link.open(
      received: { [items] _, bytes, _ in items.send(.packet(bytes.withUnsafeBytes { Array($0) })) },
      ended: { [items] in items.send(.end($0.reason)) })
  }

  func next() async -> Item? { await items.next() }
}

struct HostTime: Timekeeper {
  var now: Timestamp { Timestamp(nanoseconds: 0) }
  var uptime: Duration { .zero }
  func sleep(for duration: Duration) async throws(CancellationError) { throw CancellationError() }
}
