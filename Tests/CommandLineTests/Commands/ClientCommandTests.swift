import Dialects
import FleetModel
import Foundation
import Testing

@testable import metafleet

@Suite struct ClientCommandTests {
  @Test func `boards lists what the broker keeps`() async throws {
    try await ClientRig.with { rig in
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
      ["send", "pump", "leed"], ["send", "pump", "led", "colour=green"], ["send", "pump", "scan"],
      ["watch", "pump", "aceleration"],
    ])
  func `F246 what is misspelt ends with 64, and nothing is sent`(_ arguments: [String]) async throws {
    try await ClientRig.with { rig in
      try await rig.publishFleet()
      try await ClientSession.with(rig.settings) { session in
        try await session.subscribe(to: ["metafleet/+/+/cmd/+"], .atLeastOnce)
        let ending = try await BuiltProgram.run(arguments, environment: rig.environment)
        #expect(ending.status == 64, "\(ending.errors)")
        await session.publish(MQTTMessage(topic: "metafleet/board/e5a1c2d3f4b6/cmd/mark", payload: []))
        for await event in session.events {
          guard case .message(let message) = event else { continue }
          #expect(message.topic.hasSuffix("/mark"), "a command was sent")
          return
        }
      }
    }
  }

  @Test func `send --unchecked leaves the verdict to the gateway`() async throws {
    try await ClientRig.with { rig in
      try await rig.publishFleet()
      let (ending, request) = try await rig.run(
        ["send", "pump", "newer-verb", "key=1", "--unchecked"], answering: [["stage": "done", "ok": true]])
      #expect(ending.status == 0 && request["args"]?.object?["key"] == 1)
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
    try await ClientRig.with { rig in
      try await rig.publishFleet()
      let (ending, request) = try await rig.run(
        [
          "send", "pump", "led", "color.r=255", "color.g=0", "color.b=0", "repeat=5", "--id", "x-1", "--json",
        ],
        answering: [["stage": "accepted", "gw": "g1"], final])
      #expect(ending.status == status)
      #expect(
        JSONText.of(.object(request)) == #"{"id":"x-1","args":{"color":{"r":255,"g":0,"b":0},"repeat":5}}"#)
      let stages = try ending.output.split(separator: "\n").map {
        try StrictJSON.parse(Array($0.utf8), limits: .trusting).object?["stage"]
      }
      #expect(stages == ["accepted", final["stage"]])
    }
  }

  @Test func `send makes an identifier, and says what mode and expiry are wanted`() async throws {
    try await ClientRig.with { rig in
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
    try await ClientRig.with { rig in
      try await rig.publishFleet()
      #expect(try await BuiltProgram.run(arguments, environment: rig.environment).status == 64)
    }
  }

  @Test(.timeLimit(.minutes(20)), arguments: [false, true])
  func `watch ends with 0 when nobody reads it any more`(isReadBySocket: Bool) async throws {
    try await ClientRig.with { rig in
      try await rig.publishFleet()
      let program = try RunningProgram.start(
        ["watch", "pump", "acceleration", "--json"], environment: rig.environment,
        isReadBySocket: isReadBySocket)
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
            guard case .timer = event else { continue }
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
    try await ClientRig.with { rig in
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
