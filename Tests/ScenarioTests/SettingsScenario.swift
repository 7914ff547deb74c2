import BoardKit
import Dialects
import FleetModel
import Simulator
import Storage
import Support
import Testing
import VirtualTime

@testable import SeededFaults

/// Settings of a profile are desired state: written where a board holds something else, again after its reset, and not
/// at all by a gateway that starts again; `config` tells (MQTT contract 1.5, 3.9, 7.4).
@Suite(.timeLimit(.minutes(20))) struct SettingsScenario {
  private static let boards = 4

  private static func configuration() throws -> FleetConfiguration {
    var configuration = try GatewayParts.configuration(boards: boards, seed: 1)
    var profile = try #require(configuration.profiles["demo"])
    try profile.settings.declare("tx_dbm", 4)
    try profile.settings.declare("advertising", ["interval_ms": 500])
    // What it says cannot be read back.
    try profile.settings.declare("whitelist", ["mode": "any", "addresses": []])
    // Boards in turn have and lack it.
    try profile.settings.declare("regulator_3v", true)
    configuration.profiles["demo"] = profile
    var calm = profile
    calm.settings.withdraw("regulator_3v")
    try calm.settings.declare("tx_dbm", -8)
    configuration.profiles["calm"] = calm
    return configuration
  }

  /// One life of the gateway in a world that goes on.
  private struct Life: Sendable {
    let world: SeededWorld
    let store: Store

    /// Plays `body`; tells the boards as the gateway leaves them, too.
    func live<Result: Sendable>(
      _ boards: [MetaMotionBoard],
      _ body: @escaping @Sendable (ListeningRadio, RecordingBroker) async -> Result
    ) async throws -> (result: Result, boards: [MetaMotionBoard])? {
      let radio = ListeningRadio(
        radio: SimulatedRadio(boards: boards, air: Air(seed: 1), timekeeper: world, executor: world))
      let parts = GatewayParts(
        radio: radio, configuration: try SettingsScenario.configuration(), timekeeper: world, store: store,
        storeExecutor: world, seed: 1)
      guard let result = await parts.run({ broker in await body(radio, broker) }) else { return nil }
      var left: [MetaMotionBoard] = []
      for board in boards {
        if let board = await radio.radio.board(BoardID(board.address), as: MetaMotionBoard.self) {
          left.append(board)
        }
      }
      return (result, left)
    }
  }

  private struct FirstLife: Sendable {
    var written: [[[UInt8]]] = []
    var again: [[[UInt8]]] = []
    var documents: [JSONObject] = []
    var states: [JSONObject] = []
    /// Before the reset, what failed.
    var failures: [String] = []
    /// After the reset.
    var events: [String] = []
  }

  @Test func `a fleet keeps its settings`() throws {
    let world = SeededWorld(seed: 1)
    let store = try Store(inMemoryOn: world)
    let outcome = world.run(atMost: .seconds(600)) {
      await Result {
        let names = Rig.boards(Self.boards)
        let first = try #require(
          try await Life(world: world, store: store).live(GatewayParts.boards(Self.boards, seed: 1)) {
            radio, broker in await Self.applyAndReset(names, radio, broker)
          })
        let second = try #require(
          try await Life(world: world, store: store).live(first.boards) { radio, broker in
            await Self.waitUntilApplied(names, broker, after: 0)
            let written = names.map { radio.ears.settings(of: $0) }
            await broker.send(
              "metafleet/board/\(names[0])/cmd/profile", #"{"id":"calm","args":{"name":"calm"}}"#)
            let reply = await broker.text { $0.topic.hasSuffix("/reply/profile") && $0.says("\"ok\"") }
            await broker.message(after: 0) { $0.topic.hasSuffix("\(names[0])/config") && $0.says("\"calm\"") }
            let events = await broker.published.filter { $0.topic.hasSuffix("/event/config") }.map(\.text)
            return (written: written, reply: reply, events: events)
          })
        // The choice outlives the gateway.
        let third = try #require(
          try await Life(world: world, store: store).live(second.boards) { radio, broker in
            await Self.waitUntilApplied(names, broker, after: 0)
            return await broker.retained["metafleet/board/\(names[0])/config"] ?? []
          })
        return (first.result, second.result, third.result)
      }
    }
    let (first, second, third) = try #require(outcome).get()
    for (index, written) in first.written.enumerated() {
      let isS = index % 2 == 0
      let common: [[UInt8]] = [[0x11, 0x03, 4], [0x11, 0x02, 0x20, 0x03, 0, 0]]
      let wanted = common + (isS ? [[0x11, 0x1C, 1]] : []) + [[0x11, 0x13, 0]]
      #expect(written == wanted, "\(index)")
      #expect(first.again[index] == written)
      let document = first.documents[index]
      #expect(document["in_sync"] == .bool(isS) && first.states[index]["in_sync"] == .bool(isS))
      #expect(document["reported"]?.object?["settings"]?.object?["tx_dbm"] == 4)
      #expect(document["slots_used"]?.object?["timers"] == 0)
      #expect((document["desired_hash"] == document["reported_hash"]) == isS)
      if !isS {
        #expect(document["differences"] == ["settings/regulator_3v missing"])
        #expect(document["error"]?.string?.contains("MetaMotion S") == true)
      }
    }
    // What a board cannot have is told once, and not again after a reset or a restart.
    #expect(first.failures.count == Self.boards / 2, "\(first.failures)")
    for failure in first.failures {
      #expect(
        failure.contains(#""differences":["settings/regulator_3v missing"]"#)
          && failure.contains("MetaMotion S"))
    }
    // A reset explains all of it: nothing has drifted.
    #expect(first.events.count == Self.boards, "\(first.events)")
    for event in first.events {
      #expect(event.contains(#""event_type":"applied""#) && event.contains("settings/tx_dbm added"))
    }
    // Equal: no write, no event.
    #expect(second.written == Array(repeating: [], count: Self.boards))
    #expect(
      second.events.count == 1 && second.events[0].contains(#""event_type":"applied""#), "\(second.events)")
    #expect(second.reply.contains(#""in_sync":true"#) && second.reply.contains(#""evidence":"readback""#))
    #expect(second.reply.contains("settings/tx_dbm changed"), "\(second.reply)")
    let chosen = try #require(try StrictJSON.parse(third, limits: .trusting).object)
    #expect(chosen["profile"] == "calm" && chosen["in_sync"] == true)
    #expect(chosen["reported"]?.object?["settings"]?.object?["tx_dbm"] == -8)
  }

  @Test func `what a verb sets ends with the board's reset, unless the board keeps it`() throws {
    let world = SeededWorld(seed: 1)
    let store = try Store(inMemoryOn: world)
    let outcome = world.run(atMost: .seconds(600)) {
      await Result {
        let names = Rig.boards(Self.boards)
        return try #require(
          try await Life(world: world, store: store).live(GatewayParts.boards(Self.boards, seed: 1)) {
            radio, broker in
            await Self.waitUntilApplied(names, broker, after: 0)
            let (passing, kept) = (names[0], names[1])
            await broker.send("metafleet/board/\(passing)/cmd/settings", #"{"args":{"tx_dbm":-20}}"#)
            await broker.send(
              "metafleet/board/\(kept)/cmd/settings", #"{"args":{"name":"Kept","tx_dbm":-20,"persist":true}}"#
            )
            var replies: [String] = []
            for name in [passing, kept] {
              replies.append(
                await broker.text {
                  $0.topic == "metafleet/board/\(name)/reply/settings" && $0.says("\"ok\"")
                })
              await broker.message(after: 0) {
                $0.topic == "metafleet/board/\(name)/config" && $0.says("settings/tx_dbm")
                  && $0.says("\"tx_dbm\":-20")
              }
            }
            let before = names.map { radio.ears.settings(of: $0).count }
            let life = await Self.applyAndReset([passing, kept], radio, broker, power: [4, -20])
            let written = [0, 1].map { Array(radio.ears.settings(of: names[$0]).dropFirst(before[$0])) }
            return (replies: replies, written: written, documents: life.documents)
          }
        ).result
      }
    }
    let (replies, written, documents) = try #require(outcome).get()
    #expect(replies.allSatisfy { $0.contains(#""evidence":"readback""#) }, "\(replies)")
    #expect(written[0].contains([0x11, 0x03, 4]) && documents[0]["overlay"] == [])
    // The board has set itself up before we came: there was nothing to write.
    #expect(!written[1].contains { $0[1] == 0x03 || $0[1] == 0x01 }, "\(written[1])")
    #expect(documents[1]["overlay"] == ["settings/name", "settings/tx_dbm"])
    #expect(documents[1]["reported"]?.object?["settings"]?.object?["name"] == "Kept")
  }

  @Test func `what another host changed between two links is told, and put right`() throws {
    let world = SeededWorld(seed: 1)
    let store = try Store(inMemoryOn: world)
    let outcome = world.run(atMost: .seconds(600)) {
      await Result {
        let names = Rig.boards(Self.boards)
        var boards = try #require(
          try await Life(world: world, store: store).live(GatewayParts.boards(Self.boards, seed: 1)) {
            _, broker in await Self.waitUntilApplied(names, broker, after: 0)
          }
        ).boards
        var firmware = boards[0].firmware
        // Somebody else was there.
        _ = firmware.connected(at: world.uptime)
        _ = firmware.write([0x11, 0x03, 0], at: world.uptime)
        _ = firmware.disconnected(at: world.uptime)
        boards[0] = MetaMotionBoard(firmware)
        return try #require(
          try await Life(world: world, store: store).live(boards) { radio, broker in
            await Self.waitUntilApplied(names, broker, after: 0)
            let events = await broker.published.filter { $0.topic.hasSuffix("/event/config") }.map(\.text)
            return (events: events, written: radio.ears.settings(of: names[0]))
          }
        ).result
      }
    }
    let (events, written) = try #require(outcome).get()
    #expect(written == [[0x11, 0x03, 4]])
    #expect(events.count == 2, "\(events)")
    for (event, type) in zip(events, ["drifted", "applied"]) {
      #expect(event.contains("\"event_type\":\"\(type)\"") && event.contains("settings/tx_dbm changed"))
    }
  }

  private static func applyAndReset(
    _ names: [BoardID], _ radio: ListeningRadio, _ broker: RecordingBroker, power: [Int]? = nil
  ) async -> FirstLife {
    var life = FirstLife()
    await waitUntilApplied(names, broker, after: 0)
    life.written = names.map { radio.ears.settings(of: $0) }
    let mark = await broker.mark
    life.failures = await broker.published[..<mark].map(\.text).filter {
      $0.contains(#""kind":"config","event_type":"failed""#)
    }
    for name in names {
      await radio.radio.perform(on: name, as: MetaMotionBoard.self) { board, now in
        board.apply(.reset, at: now)
      }
    }
    for name in names {
      await broker.message(after: mark) { $0.topic == "metafleet/board/\(name)/event/reset" }
    }
    await waitUntilApplied(names, broker, after: mark)
    life.again = zip(names, life.written).map { name, before in
      Array(radio.ears.settings(of: name).dropFirst(before.count))
    }
    for (index, name) in names.enumerated() {
      let root = "metafleet/board/\(name)"
      let power = power?[index] ?? 4
      // Wanted and reported.
      let document = await broker.message(after: mark) {
        $0.topic == "\(root)/config" && $0.text.split(separator: "\"tx_dbm\":\(power)").count > 2
          && $0.says("\"timers\":0")
      }
      life.documents.append((try? StrictJSON.parse(document.payload, limits: .trusting))?.object ?? [:])
      let isInSync = document.says("\"in_sync\":true")
      let state = await broker.message(after: mark) {
        $0.topic == "\(root)/state" && $0.says("\"in_sync\":\(isInSync)")
      }
      life.states.append((try? StrictJSON.parse(state.payload, limits: .trusting))?.object ?? [:])
    }
    life.events = await broker.published[mark...].filter { $0.topic.hasSuffix("/event/config") }.map(\.text)
    return life
  }

  /// The gateway has brought all boards to their settings: an answer to a command behind that comes.
  private static func waitUntilApplied(_ names: [BoardID], _ broker: RecordingBroker, after mark: Int) async {
    for name in names {
      let root = "metafleet/board/\(name)"
      await broker.message(after: mark) { $0.topic == "\(root)/availability" && $0.says("connected") }
      await broker.message(after: mark) { $0.topic == "\(root)/record/acceleration" }
      await broker.send("\(root)/cmd/read", #"{"args":{"what":"settings"}}"#)
      await broker.message(after: mark) { $0.topic == "\(root)/reply/read" && $0.says("\"ok\"") }
    }
  }
}

extension Result where Failure == any Error {
  fileprivate init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
