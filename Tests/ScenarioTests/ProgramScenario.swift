import BoardKit
import Dialects
import FleetModel
import Simulator
import Storage
import Support
import Testing
import VirtualTime

@testable import SeededFaults

/// What a profile has boards do by themselves is desired state: it is applied to a whole fleet, comes back after a
/// reset, and is adopted, not doubled, by a gateway that starts again (MQTT contract 1.5, 3.6–3.8).
@Suite(.timeLimit(.minutes(20)), .ownThread) struct ProgramScenario {
  private static let boards = 20

  /// A fusion stream, a chain on what only the chain wants of fusion, another for the event, and a timer.
  private static func configuration() throws -> FleetConfiguration {
    var configuration = try GatewayParts.configuration(boards: boards, seed: 1)
    var profile = Profile()
    profile.streams["quaternion"] = StreamRequest(name: "quaternion", configuration: ["mode": "ndof"])
    try profile.program.declare(
      ProgramKey(.chain, "presses"), ["from": "switch", "chain": ["counter"], "to": []])
    try profile.program.declare(
      ProgramKey(.chain, "course"),
      ["from": "euler-heading", "mode": "ndof", "chain": [["time": 100]]])
    try profile.program.declare(
      ProgramKey(.timer, "minute"),
      [
        "period_ms": 60_000, "action": ["verb": "read", "args": ["what": "temperature", "source": "die"]],
      ])
    try profile.program.declare(
      ProgramKey(.event, "thanks"),
      [
        "source": "processor:presses",
        "action": ["verb": "led", "args": ["color": "green", "pattern": "flash"]],
      ])
    configuration.profiles["demo"] = profile
    return configuration
  }

  /// One life of the gateway in a world that goes on.
  private struct Life: Sendable {
    let world: SeededWorld
    let store: Store
    let seed: UInt64

    /// Plays `body`; tells the boards as the gateway leaves them, too.
    func live<Result: Sendable>(
      _ boards: [MetaMotionBoard],
      _ body: @escaping @Sendable (SimulatedRadio, RecordingBroker) async -> Result
    ) async throws -> (result: Result, boards: [MetaMotionBoard])? {
      let radio = SimulatedRadio(boards: boards, air: Air(seed: seed), timekeeper: world, executor: world)
      let parts = GatewayParts(
        radio: radio, configuration: try ProgramScenario.configuration(), timekeeper: world, store: store,
        storeExecutor: world, seed: seed)
      guard let result = await parts.run({ broker in await body(radio, broker) }) else { return nil }
      return (result, await ProgramScenario.all(boards.map { BoardID($0.address) }, radio))
    }
  }

  @Test func `a fleet keeps its program`() throws {
    let world = SeededWorld(seed: 1)
    let store = try Store(inMemoryOn: world)
    let outcome = world.run(atMost: .seconds(600)) {
      await Result {
        let names = Rig.boards(Self.boards)
        let first = try #require(
          try await Life(world: world, store: store, seed: 1).live(
            GatewayParts.boards(Self.boards, seed: 1)
          ) { radio, broker in await Self.applyAndReset(names, radio, broker) })
        let second = try #require(
          try await Life(world: world, store: store, seed: 2).live(first.boards) { radio, broker in
            await Self.waitUntilApplied(names, broker, "again", after: 0)
            let held = await Self.held(names, radio)
            // Names work again.
            await broker.send("metafleet/board/\(names[0])/cmd/timer-stop", #"{"args":{"name":"minute"}}"#)
            let stopped = await broker.text {
              $0.topic == "metafleet/board/\(names[0])/reply/timer-stop" && $0.says("\"ok\"")
            }
            return (held: held, stopped: stopped)
          })
        // A gateway that knows nothing finds the same program on the boards, and adopts it.
        let third = try await Life(world: world, store: try Store(inMemoryOn: world), seed: 3).live(
          second.boards
        ) { radio, broker in
          await Self.waitUntilApplied(names, broker, "new", after: 0)
          return await Self.held(names, radio)
        }
        return (first.result, second.result, try #require(third).result)
      }
    }
    let (first, second, third) = try #require(outcome).get()
    for held in first.held {
      #expect(held.count(of: 0x09) == 2, "\(held)")
      #expect(held.count(of: 0x0C) == 1, "\(held)")
      // A read for the timer; clear, write and play for the light.
      #expect(held.count(of: 0x0A) == 4, "\(held)")
    }
    #expect(first.afterReset.allSatisfy { $0.slots.isEmpty })
    #expect(first.restored == first.held)
    #expect(second.held == first.held)
    #expect(second.stopped.contains("\"ok\":true"), "\(second.stopped)")
    #expect(third == first.held)
  }

  private struct FirstLife: Sendable {
    var held: [BoardSlots]
    var afterReset: [BoardSlots]
    var restored: [BoardSlots]
  }

  private static func applyAndReset(
    _ names: [BoardID], _ radio: SimulatedRadio, _ broker: RecordingBroker
  ) async -> FirstLife {
    await waitUntilApplied(names, broker, "first", after: 0)
    let held = await held(names, radio)
    let mark = await broker.mark
    for name in names {
      await radio.perform(on: name, as: MetaMotionBoard.self) { board, now in board.apply(.reset, at: now) }
    }
    let afterReset = await Self.held(names, radio)
    for name in names {
      await broker.message(after: mark) { $0.topic == "metafleet/board/\(name)/event/reset" }
    }
    await waitUntilApplied(names, broker, "restored", after: mark)
    return FirstLife(held: held, afterReset: afterReset, restored: await Self.held(names, radio))
  }

  /// The gateway has brought all boards to their program: an answer to a command behind that comes.
  private static func waitUntilApplied(
    _ names: [BoardID], _ broker: RecordingBroker, _ id: String, after mark: Int
  ) async {
    for name in names {
      let root = "metafleet/board/\(name)"
      await broker.message(after: mark) { $0.topic == "\(root)/availability" && $0.says("connected") }
      await broker.message(after: mark) { $0.topic == "\(root)/record/quaternion" }
      await broker.message(after: mark) { $0.topic == "\(root)/record/course" && $0.says("\"course_deg\"") }
      await broker.send("\(root)/cmd/processor-list", #"{"id":"\#(id)"}"#)
    }
    for name in names {
      await broker.message(after: mark) {
        $0.topic == "metafleet/board/\(name)/reply/processor-list" && $0.says("\"\(id)\"")
          && $0.says("\"type\":\"count\"")
      }
    }
  }

  private static func all(_ names: [BoardID], _ radio: SimulatedRadio) async -> [MetaMotionBoard] {
    var boards: [MetaMotionBoard] = []
    for name in names {
      if let board = await radio.board(name, as: MetaMotionBoard.self) { boards.append(board) }
    }
    return boards
  }

  private static func held(_ names: [BoardID], _ radio: SimulatedRadio) async -> [BoardSlots] {
    await all(names, radio).map { BoardSlots(of: $0) }
  }
}

/// What stands in the slots of a simulated board, as its firmware says when it is asked.
struct BoardSlots: Hashable, Sendable {
  struct Slot: Hashable, Sendable {
    var module: UInt8
    var number: UInt8
  }

  private(set) var slots: [Slot: [UInt8]] = [:]

  /// Asks a copy, which nobody notices.
  init(of board: MetaMotionBoard) {
    var firmware = board.firmware
    for module in [0x09, 0x0A, 0x0C] as [UInt8] {
      for number in 0..<UInt8(28) {
        let answers = firmware.write([module, 0x82, number], at: .zero).compactMap { effect -> [UInt8]? in
          if case .notify(let packet) = effect, packet.starts(with: [module, 0x82]) { packet } else { nil }
        }
        guard let answer = answers.first, answer.count > 3, !answer.dropFirst(2).allSatisfy({ $0 == 0xFF })
        else { continue }
        slots[Slot(module: module, number: number)] = answer
      }
    }
  }

  func count(of module: UInt8) -> Int { slots.keys.count { $0.module == module } }
}

extension Result where Failure == any Error {
  fileprivate init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
