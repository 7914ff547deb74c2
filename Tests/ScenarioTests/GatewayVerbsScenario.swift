import BoardKit
import Dialects
import FleetModel
import Simulator
import Storage
import Support
import Testing
import VirtualTime

@testable import SeededFaults

/// What a gateway does about itself when it is told to (MQTT contract 4.1).
@Suite(.timeLimit(.minutes(20))) struct GatewayVerbsScenario {
  /// Plays `body` with a gateway of the simulated boards of `admitted`, of `present` that are there.
  private func play<Result: Sendable>(
    boards admitted: Int = 1, of present: Int = 1,
    _ body: @escaping @Sendable (Rig) async -> Result
  ) throws -> Result {
    let world = SeededWorld(seed: 1)
    let radio = SimulatedRadio(
      boards: GatewayParts.boards(present, seed: 1), air: Air(seed: 1), timekeeper: world, executor: world)
    let parts = try GatewayParts(
      radio: radio, boards: admitted, timekeeper: world, storeExecutor: world, seed: 1)
    let outcome = world.run {
      await parts.run { broker in
        await body(
          Rig(depth: .simulated, broker: broker, timekeeper: world, hand: SimulatedHand(radio: radio)))
      }
    }
    return try #require(outcome ?? nil, "the world stopped at \(world.uptime)")
  }

  @Test func `drain lets go of every board and takes none until it is told to resume`() throws {
    let board = Rig.boards(1)[0]
    let texts = try play { rig -> [String] in
      await rig.isConnected(board)
      let drained = await rig.command("drain")
      let mark = await rig.broker.mark
      let refused = await rig.command("haptic", on: board, expiringIn: .seconds(5))
      let resumed = await rig.command("drain", #""resume":true"#)
      await rig.isConnected(board, after: mark)
      return [drained, refused, resumed]
    }
    #expect(texts[0].contains(#""data":{"boards":1}"#), "\(texts[0])")
    #expect(texts[1].contains("\"unreachable\"") && texts[1].contains("drained"), "\(texts[1])")
    #expect(texts[2].contains("\"ok\":true"), "\(texts[2])")
  }

  @Test func `F223 a board in maintenance says so, and is not counted as one in trouble`() throws {
    let absent = try #require(BoardID("00aabbccddee"))
    let texts = try play { rig -> [String] in
      await rig.isConnected(Rig.boards(1)[0])
      _ = await rig.command("admit", #""board":"\#(absent)""#)
      let troubled = await rig.broker.message {
        $0.topic.hasSuffix("/health") && $0.says(#""boards_troubled":1"#)
      }.text
      let answer = await rig.command(
        "maintenance", #""for":"2h","reason":"roof""#, on: absent)
      let state = await rig.broker.message {
        $0.topic == "metafleet/board/\(absent)/state" && $0.says("maintenance_until_ms")
      }.text
      let quiet = await rig.broker.message {
        $0.topic.hasSuffix("/health") && $0.says(#""boards_in_maintenance":1"#)
      }.text
      let event = await rig.broker.message { $0.topic.hasSuffix("\(absent)/event/maintenance") }.text
      return [troubled, answer, state, quiet, event]
    }
    #expect(texts[1].contains("until_ms") && texts[1].contains("\"ok\":true"), "\(texts[1])")
    #expect(texts[2].contains(#""maintenance_reason":"roof""#), "\(texts[2])")
    #expect(texts[3].contains(#""boards_troubled":0"#), "\(texts[3])")
    #expect(
      texts[4].contains(#""event_type":"started""#) && texts[4].contains(#""maintenance":true"#),
      "\(texts[4])")
  }

  @Test func `F221 an adapter that is there is not forgotten`() throws {
    let adapter = SimulatedRadio.adapter.id
    let texts = try play { rig -> [String] in
      await rig.isConnected(Rig.boards(1)[0])
      return [
        await rig.command("forget", #""adapter":"\#(adapter)""#),
        await rig.command("forget", #""adapter":"001a7dda7113""#),
      ]
    }
    #expect(texts[0].contains("\"invalid\"") && texts[0].contains("unplug it first"), "\(texts[0])")
    #expect(texts[1].contains("\"invalid\"") && texts[1].contains("\(adapter)"), "\(texts[1])")
  }

  @Test func `F221 an adapter that an earlier run told of is missing, and forgotten on command`() throws {
    let topic = "metafleet/gateway/test/adapter/001a7dda7113"
    let texts = try play { rig -> [String] in
      await rig.isConnected(Rig.boards(1)[0])
      await rig.broker.send(
        MQTTMessage(
          topic: topic, payload: Array(#"{"ts_ms":5,"name":"hci7","state":"up"}"#.utf8), isRetained: true))
      await rig.broker.reset()
      let missing = await rig.broker.message { $0.topic == topic && $0.says(#""state":"missing""#) }.text
      let done = await rig.command("forget", #""adapter":"001a7dda7113""#)
      let event = await rig.broker.message { $0.topic.hasSuffix("/event/adapter") && $0.says("forgotten") }
        .text
      return [missing, done, event]
    }
    #expect(texts[0].contains(#""last_seen_ms":5"#) && texts[0].contains("hci7"), "\(texts[0])")
    #expect(texts[1].contains(#""topics_cleared":1"#), "\(texts[1])")
    #expect(texts[2].contains(#""by":"command""#), "\(texts[2])")
  }

  @Test
  func
    `I20 an adapter over which something came lately is not reset unless forced, and its boards come back`()
    throws
  {
    let board = Rig.boards(1)[0]
    let adapter = SimulatedRadio.adapter.id
    let texts = try play { rig -> [String] in
      await rig.isConnected(board)
      _ = await rig.broker.message { $0.topic.contains("/record/") }
      let busy = await rig.command("adapter-reset", #""adapter":"\#(adapter)""#)
      let unknown = await rig.command("adapter-reset", #""adapter":"001a7dda7113""#)
      let mark = await rig.broker.mark
      let forced = await rig.command("adapter-reset", #""adapter":"\#(adapter)","force":true"#)
      await rig.isConnected(board, after: mark)
      let event = await rig.broker.message(after: mark) { $0.topic.hasSuffix("/event/adapter-reset") }.text
      return [busy, unknown, forced, event]
    }
    #expect(texts[0].contains("\"busy\"") && texts[0].contains("retry_after_ms"), "\(texts[0])")
    #expect(texts[1].contains("\"invalid\"") && texts[1].contains("\(adapter)"), "\(texts[1])")
    #expect(texts[2].contains(#""boards_lost":1"#), "\(texts[2])")
    #expect(texts[3].contains(#""event_type":"power""#), "\(texts[3])")
  }

  @Test func `open admission admits boards that advertise, for as long as it is open`() throws {
    let unlisted = Rig.boards(2)[1]
    let texts = try play(of: 2) { rig -> [String] in
      _ = await rig.broker.message { $0.topic.hasSuffix("/event/board-discovered") }
      let unknown = await rig.command("admission", #""mode":"open","profile":"nobody""#)
      let open = await rig.command("admission", #""mode":"window","for_s":60"#)
      let event = await rig.broker.message { $0.topic.hasSuffix("/event/board-admitted") }.text
      let info = await rig.broker.message {
        $0.topic == "metafleet/gateway/test/info" && $0.says(#""admission":"window""#)
      }.text
      return [unknown, open, event, info]
    }
    #expect(texts[0].contains("\"invalid\""), "\(texts[0])")
    #expect(texts[1].contains("until_ms"), "\(texts[1])")
    #expect(texts[2].contains("\(unlisted)") && texts[2].contains(#""by":"window""#), "\(texts[2])")
  }

  @Test func `F164 a blocked address does not join again while joining is open, until it is admitted`() throws
  {
    let unlisted = Rig.boards(2)[1]
    let texts = try play(of: 2) { rig -> [String] in
      await rig.isConnected(Rig.boards(1)[0])
      _ = await rig.command("admission", #""mode":"open""#)
      _ = await rig.broker.message { $0.topic.hasSuffix("/event/board-admitted") }
      let blocked = await rig.command("forget", #""board":"\#(unlisted)","block":true"#)
      let event = await rig.broker.message { $0.topic.hasSuffix("/event/board-forgotten") }.text
      try? await rig.timekeeper.sleep(for: .seconds(120))
      let scan = await rig.command("scan")
      let admitted = await rig.command("admit", #""board":"\#(unlisted)""#)
      return [blocked, event, scan, admitted]
    }
    #expect(texts[0].contains("\"ok\":true"), "\(texts[0])")
    #expect(
      texts[1].contains(#""event_type":"blocked""#) && texts[1].contains("\(unlisted)"), "\(texts[1])")
    #expect(texts[2].contains(#""blocked":true"#), "\(texts[2])")
    #expect(texts[3].contains(#""created":true"#), "\(texts[3])")
  }

  @Test func `what was admitted and never connected is removed at once, and nothing else`() throws {
    let (present, absent) = (Rig.boards(2)[1], "00aabbccddee")
    let texts = try play(of: 2) { rig -> [String] in
      await rig.isConnected(Rig.boards(1)[0])
      for board in ["\(present)", absent] { _ = await rig.command("admit", #""board":"\#(board)""#) }
      await rig.isConnected(present)
      let removed = await rig.command("forget", #""never_connected":true"#)
      return [removed, await rig.command("forget", #""never_connected":true"#)]
    }
    #expect(texts[0].contains(#""boards":["\#(absent)"]"#), "\(texts[0])")
    #expect(texts[1].contains(#""boards":[]"#), "\(texts[1])")
  }

  @Test func `F67 replay brings the samples of a while again, and tells when it begins and ends`() throws {
    let (reply, events) = try play { rig -> (String, [String]) in
      _ = await rig.broker.message { $0.topic.contains("/record/acceleration") }
      try? await rig.timekeeper.sleep(for: .seconds(20))
      let reply = await rig.command("replay", #""from_ms":0,"lanes":["record"]"#)
      var events: [String] = []
      for type in ["started", "finished"] {
        events.append(
          await rig.broker.message {
            $0.topic.hasSuffix("/event/replay") && $0.says("\"\(type)\"")
          }.text)
      }
      return (reply, events)
    }
    #expect(reply.contains("\"ok\":true") && !reply.contains(#""messages":0"#), "\(reply)")
    #expect(events[1].contains("messages"), "\(events)")
  }

  @Test func `F210 health counts a board as soon as it is connected, and no longer than it is`() throws {
    let uptimes = try play { rig -> [Int?] in
      func uptime(ofHealthThatSays text: String, after mark: Int) async -> Int? {
        let health = await rig.broker.message(after: mark) { $0.topic.hasSuffix("/health") && $0.says(text) }
        return health.text.firstMatch(of: /"uptime_s":([0-9]+)/).flatMap { Int($0.1) }
      }
      let connected = await uptime(ofHealthThatSays: #""boards_connected":1,"#, after: 0)
      await rig.isConnected(Rig.boards(1)[0])
      let mark = await rig.broker.mark
      _ = await rig.command("drain")
      return [connected, await uptime(ofHealthThatSays: #""boards_connected":0,"#, after: mark)]
    }
    // Without being asked for, health comes every 30 s.
    #expect(uptimes.allSatisfy { ($0 ?? 99) < 25 }, "\(uptimes)")
  }

  @Test func `F209 health counts a board in maintenance as soon as it is`() throws {
    let uptimes = try play { rig -> [Int?] in
      @Sendable func uptime(_ text: String) -> Int? {
        text.firstMatch(of: /"uptime_s":([0-9]+)/).flatMap { Int($0.1) }
      }
      await rig.isConnected(Rig.boards(1)[0])
      // By itself health comes every 30 s; nothing else goes on then.
      let calm = await rig.broker.message { $0.topic.hasSuffix("/health") && (uptime($0.text) ?? 0) >= 30 }
      let mark = await rig.broker.mark
      _ = await rig.command("maintenance", #""for":"2h""#, on: Rig.boards(1)[0])
      let counted = await rig.broker.message(after: mark) {
        $0.topic.hasSuffix("/health") && $0.says(#""boards_in_maintenance":1"#)
      }
      return [uptime(calm.text), uptime(counted.text)]
    }
    let (calm, counted) = (try #require(uptimes[0]), try #require(uptimes[1]))
    #expect(counted - calm < 25, "\(uptimes)")
  }

  @Test func `F210 health says that Bluetooth works as soon as it does`() throws {
    let health = try play { rig in
      await rig.isConnected(Rig.boards(1)[0])
      return await rig.broker.message { $0.topic.hasSuffix("/health") && $0.says(#""bluetooth_ok":1"#) }.text
    }
    #expect(health.contains(#""uptime_s":0"#), "\(health)")
  }

  @Test func `diagnostics without a place for the bundle say so`() throws {
    let reply = try play { rig in
      await rig.isConnected(Rig.boards(1)[0])
      return await rig.command("diagnostics")
    }
    #expect(reply.contains("\"unsupported\""), "\(reply)")
  }
}

extension Rig {
  /// The final answer of the gateway to `verb`.
  func command(_ verb: String, _ arguments: String = "") async -> String {
    let root = "metafleet/gateway/test"
    let mark = await broker.mark
    await broker.send("\(root)/cmd/\(verb)", #"{"id":"\#(mark)","args":{\#(arguments)}}"#)
    return await broker.message(after: mark) {
      $0.topic == "\(root)/reply/\(verb)" && $0.says("\"id\":\"\(mark)\"") && $0.says("\"ok\"")
    }.text
  }

  /// The final answer of a board to a request that is not for long.
  func command(_ verb: String, on board: BoardID, expiringIn span: Duration) async -> String {
    let root = "metafleet/board/\(board)"
    let mark = await broker.mark
    let expiry = (timekeeper.now + span).milliseconds
    await broker.send("\(root)/cmd/\(verb)", #"{"id":"\#(mark)","expires_ms":\#(expiry),"args":{}}"#)
    return await broker.message(after: mark) {
      $0.topic == "\(root)/reply/\(verb)" && $0.says("\"id\":\"\(mark)\"") && $0.says("\"ok\"")
    }.text
  }
}
