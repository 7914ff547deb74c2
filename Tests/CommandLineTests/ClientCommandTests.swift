import Dialects
import EventLoops
import FleetModel
import Foundation
import Testing

@testable import metafleet

/// A broker of a test's own, and somebody who plays the gateway.
private struct Rig: Sendable {
  let broker: MosquittoDaemon
  var environment: [String: String] { ["METAFLEET_MQTT_PORT": "\(broker.port)"] }
  var settings: UplinkConfiguration {
    var settings = UplinkConfiguration()
    settings.host = "127.0.0.1"
    settings.port = broker.port
    return settings
  }

  static func with(_ body: (Rig) async throws -> Void) async throws {
    let loop = try EventLoop(name: "test")
    defer { loop.stop() }
    let rig = Rig(broker: try await MosquittoDaemon.start(port: nil, on: loop))
    do {
      try await body(rig)
    } catch {
      await rig.broker.stop()
      throw error
    }
    await rig.broker.stop()
  }

  /// Puts the example fleet on the broker.
  func publishFleet() async throws {
    try await ClientSession.with(settings) { session in
      let documents = [
        "board/e5a1c2d3f4b6/info": #"{"name":"Pump 3","groups":["east"],"gw":"g1","model":"MetaMotion S"}"#,
        "board/e5a1c2d3f4b6/availability": #"{"state":"online","reason":"connected","since_ms":1,"gw":"g1"}"#,
        "board/e5a1c2d3f4b6/state": #"{"link":"streaming","battery_pct":81,"gw":"g1"}"#,
        "gateway/g1/availability": #"{"state":"online","birth":1}"#,
      ]
      for (topic, text) in documents {
        await session.publish(
          MQTTMessage(topic: "metafleet/\(topic)", payload: Array(text.utf8), isRetained: true))
      }
      // Each is acknowledged: from now on the broker has them.
      var missing = documents.count
      for await event in session.events {
        if case .acknowledged = event { missing -= 1 }
        if missing == 0 { return }
      }
    }
  }

  /// Answers the next command with these replies, its id filled in, and returns it.
  func answer(with replies: [JSONObject], ready: @escaping @Sendable () -> Void) async throws -> JSONObject {
    try await ClientSession.with(settings) { session in
      try await session.subscribe(to: ["metafleet/+/+/cmd/+"], .atLeastOnce)
      ready()
      for await event in session.events {
        guard case .message(let message) = event, let request = try StrictJSON.parse(message.payload).object
        else { continue }
        for reply in replies {
          await session.publish(
            MQTTMessage(
              topic: message.topic.replacing("/cmd/", with: "/reply/"),
              payload: JSONWriter.render((["id": request["id"] ?? ""] as JSONObject).merging(reply))))
        }
        return request
      }
      return JSONObject()
    }
  }

  /// Runs the program while the gateway answers it.
  func run(
    _ arguments: [String], answering replies: [JSONObject]
  ) async throws -> (ending: BuiltProgram.Ending, request: JSONObject) {
    let (listening, isListening) = AsyncStream<Void>.makeStream()
    async let request = answer(with: replies) { isListening.yield() }
    _ = await First.value(of: listening)
    let ending = try await BuiltProgram.run(arguments, environment: environment)
    return (ending, try await request)
  }
}

@Suite struct ClientCommandTests {
  @Test func `boards lists what the broker keeps`() async throws {
    try await Rig.with { rig in
      try await rig.publishFleet()
      let table = try await BuiltProgram.run(["boards"], environment: rig.environment)
      #expect(table.status == 0)
      let lines = table.output.split(separator: "\n")
      #expect(lines.count == 2)
      #expect(lines.last?.hasPrefix("Pump 3  e5a1c2d3f4b6  MetaMotion S  online") == true)
      #expect(!table.output.contains("\u{1B}"))

      let json = try await BuiltProgram.run(["boards", "--json"], environment: rig.environment)
      let object = try StrictJSON.parse(Array(json.output.dropLast().utf8), limits: .trusting).object
      #expect(object?["state"]?.object?["battery_pct"] == 81)
    }
  }

  @Test(
    arguments: [
      (["stage": "done", "ok": true, "evidence": "readback", "data": ["playing": true]], 0),
      (["stage": "failed", "ok": false, "code": "unreachable", "message": "not seen"], 1),
      (["stage": "unknown", "ok": false, "message": "the link went"], 3),
      (["stage": "failed", "ok": false, "code": "busy", "message": "too much"], 75),
      (["stage": "failed", "ok": false, "code": "denied", "message": "no"], 77),
    ] as [(JSONObject, Int32)])
  func `send prints the stages and its status tells the end`(_ final: JSONObject, _ status: Int32)
    async throws
  {
    try await Rig.with { rig in
      try await rig.publishFleet()
      let (ending, request) = try await rig.run(
        ["send", "pump", "led", "color.r=255", "repeat=5", "--id", "x-1", "--json"],
        answering: [["stage": "accepted", "gw": "g1"], final])
      #expect(ending.status == status)
      #expect(JSONText.of(.object(request)) == #"{"id":"x-1","args":{"color":{"r":255},"repeat":5}}"#)
      let stages = try ending.output.split(separator: "\n").map {
        try StrictJSON.parse(Array($0.utf8), limits: .trusting).object?["stage"]
      }
      #expect(stages == ["accepted", final["stage"]])
    }
  }

  @Test func `send makes an identifier, and says what mode and expiry are wanted`() async throws {
    try await Rig.with { rig in
      try await rig.publishFleet()
      let (ending, request) = try await rig.run(
        ["send", "e5a1c2d3f4b6", "identify", "--mode", "queue", "--expires", "1h"],
        answering: [["stage": "done", "took_ms": 5]])
      #expect(ending.status == 0)
      #expect(ending.output == "done      in 5ms\n")
      #expect(request["id"]?.string?.count == 26)
      #expect(request["mode"] == "queue")
      let ahead = (request["expires_ms"]?.integer ?? 0) - Timestamp.system.milliseconds
      #expect((3_000_000...3_600_000).contains(ahead))
    }
  }

  @Test(arguments: [
    ["send", "nobody", "led"], ["send", "group:west", "led"], ["send", "Pump 3", "led", "green"],
  ])
  func `who or what cannot be meant ends with 64`(_ arguments: [String]) async throws {
    try await Rig.with { rig in
      try await rig.publishFleet()
      #expect(try await BuiltProgram.run(arguments, environment: rig.environment).status == 64)
    }
  }

  @Test func `watch ends with 0 when nobody reads it any more`() async throws {
    try await Rig.with { rig in
      try await rig.publishFleet()
      let program = try RunningProgram.start(
        ["watch", "pump", "acceleration", "--json"], environment: rig.environment)
      try await ClientSession.with(rig.settings) { session in
        let sample =
          #"{"ts_ms":1,"ax_g":0.5,"seq":1,"board":"e5a1c2d3f4b6","stream":"acceleration","gw":"g1"}"#
        let message = MQTTMessage(
          topic: "metafleet/board/e5a1c2d3f4b6/live/acceleration", payload: Array(sample.utf8))
        // Until the program listens and says so, samples go nowhere.
        session.set(.redraw, after: .zero)
        let arrived = await First.of {
          try? await program.nextLine()
        } or: {
          for await event in session.events {
            guard case .alarm = event else { continue }
            await session.publish(message)
            session.set(.redraw, after: .milliseconds(50))
          }
          return nil
        }
        #expect(arrived == sample)
      }
      program.closeOutput()
      #expect(try await program.ending() == 0)
    }
  }

  @Test func `a broker that is not there ends with 69, a wrong file with 78`() async throws {
    #expect(try await BuiltProgram.run(["boards", "--host", "127.0.0.1", "--port", "1"]).status == 69)
    #expect(try await BuiltProgram.run(["boards", "--config", "/nowhere.yaml"]).status == 78)
    #expect(try await BuiltProgram.run(["boards", "--port", "0"]).status == 64)
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func `a client ends at once with the signal's status`(_ signal: Int32, _ status: Int32) async throws {
    try await Rig.with { rig in
      try await rig.publishFleet()
      let (listening, isListening) = AsyncStream<Void>.makeStream()
      async let request = rig.answer(with: [["stage": "accepted", "gw": "g1"]]) { isListening.yield() }
      _ = await First.value(of: listening)
      let program = try RunningProgram.start(["send", "pump", "reset"], environment: rig.environment)
      _ = try await request
      #expect(try await program.nextLine() == "accepted  by g1")
      #expect(try await program.end(with: signal) == status)
    }
  }
}
