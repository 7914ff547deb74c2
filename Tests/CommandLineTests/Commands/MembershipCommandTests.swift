import Dialects
import FleetModel
import Testing

@testable import metafleet

@Suite struct MembershipCommandTests {
  @Test func `admit asks the only gateway and prints the stages`() async throws {
    try await ClientRig.with { rig in
      try await rig.publishFleet()
      let (ending, request) = try await rig.run(
        [
          "admit", "C0:FF:EE:00:00:01", "--name", "Lamp", "--group", "east", "--label", "room=3.14",
          "--disabled",
        ],
        answering: [
          ["stage": "accepted", "gw": "g1"],
          ["stage": "done", "ok": true, "took_ms": 3, "data": ["board": "c0ffee000001", "created": true]],
        ])
      #expect(ending.status == 0, "\(ending.errors)")
      #expect(
        request["args"] == [
          "board": "c0ffee000001", "name": "Lamp", "groups": ["east"], "labels": ["room": "3.14"],
          "enabled": false,
        ])
      #expect(
        ending.output
          == "accepted  by g1\ndone      in 3ms\n          board: c0ffee000001\n          created: true\n")
    }
  }

  @Test(
    arguments: [
      (["stage": "failed", "ok": false, "code": "invalid", "message": "edit the file"], 1),
      (["stage": "unknown", "ok": false, "message": "crashed"], 3),
      (["stage": "failed", "ok": false, "code": "denied", "message": "no"], 77),
      (["stage": "failed", "ok": false, "code": "busy", "message": "later"], 75),
    ] as [(JSONObject, Int32)])
  func `forget finds the board by name, and its status tells the end`(_ final: JSONObject, _ status: Int32)
    async throws
  {
    try await ClientRig.with { rig in
      try await rig.publishFleet()
      let (ending, request) = try await rig.run(["forget", "pump", "--json"], answering: [final])
      #expect(ending.status == status)
      #expect(request["args"] == ["board": "e5a1c2d3f4b6", "keep_data": true])
      let reply = try StrictJSON.parse(Array(ending.output.dropLast().utf8), limits: .trusting).object
      #expect(reply?["stage"] == final["stage"])
    }
  }

  @Test(
    arguments: [
      (
        ["forget", "pump", "--block"], ["board": "e5a1c2d3f4b6", "keep_data": true, "block": true]
      ),
      (
        ["forget", "--never-connected", "--drop-data"], ["keep_data": false, "never_connected": true]
      ),
    ] as [([String], JSONObject)])
  func `forget blocks an address, or removes all boards that were never connected`(
    _ words: [String], _ arguments: JSONObject
  ) async throws {
    try await ClientRig.with { rig in
      try await rig.publishFleet()
      let (ending, request) = try await rig.run(words, answering: [["stage": "done", "ok": true]])
      #expect(ending.status == 0, "\(ending.errors)")
      #expect(request["args"] == JSONValue.object(arguments))
    }
  }

  @Test(arguments: [["forget"], ["forget", "pump", "--never-connected"]])
  func `forget needs either a board or all that were never connected`(_ words: [String]) async throws {
    try await ClientRig.with { rig in
      let ending = try await BuiltProgram.run(words, environment: rig.environment)
      #expect(ending.status == 64)
      #expect(ending.errors.contains("Name a board, or write --never-connected."))
    }
  }

  @Test func `F220 a gateway that is gone for good leaves nothing, once somebody has seen what goes`()
    async throws
  {
    try await ClientRig.with { rig in
      try await rig.publishFleet()
      try await rig.publish([
        "gateway/g1/availability": #"{"state":"offline","birth":1}"#,
        "gateway/g2/availability": #"{"state":"online","birth":1}"#,
      ])
      let words = ["forget", "gateway:g1", "--gone"]
      let listed = try await BuiltProgram.run(words, environment: rig.environment)
      #expect(listed.status == 1 && listed.output.contains(#"  board "Pump 3" (e5a1c2d3f4b6)"#))
      #expect(listed.errors.contains("nothing is removed yet; --yes removes 4 retained topics"))
      let done = try await BuiltProgram.run(words + ["--yes"], environment: rig.environment)
      #expect(done.status == 0 && done.output.hasSuffix("removed 4 retained topics\n"), "\(done.errors)")
      let left = try await ClientSession.with(rig.settings) { try await $0.fleet() }
      #expect(left.boards.isEmpty && left.gateways.keys.sorted() == ["g2"])
      #expect(try await BuiltProgram.run(words, environment: rig.environment).status == 64)
      let online = try await BuiltProgram.run(
        ["forget", "gateway:g2", "--gone", "--yes"], environment: rig.environment)
      #expect(online.status == 1 && online.errors.contains("the gateway g2 is online"))
    }
  }

  @Test func `F221 an adapter is forgotten by the gateway that tells of it`() async throws {
    try await ClientRig.with { rig in
      try await rig.publishFleet()
      try await rig.publish([
        "gateway/g2/availability": #"{"state":"online","birth":1}"#,
        "gateway/g1/adapter/001a7dda7113": #"{"adapter":"001a7dda7113","name":"hci0","state":"missing"}"#,
      ])
      let (ending, request) = try await rig.run(
        ["forget", "adapter:00:1A:7D:DA:71:13"], answering: [["stage": "done", "ok": true]])
      #expect(ending.status == 0, "\(ending.errors)")
      #expect(request["args"] == ["adapter": "001a7dda7113"])
    }
  }

  @Test func `of several gateways one must be named, and one that is gone is not asked`() async throws {
    try await ClientRig.with { rig in
      try await rig.publishFleet()
      try await rig.publish([
        "gateway/g2/availability": #"{"state":"online","birth":1}"#,
        "gateway/g3/availability": #"{"state":"offline","birth":1}"#,
      ])
      let which = try await BuiltProgram.run(["admit", "c0ffee000001"], environment: rig.environment)
      #expect(which.status == 64)
      #expect(which.errors.contains("there are g1, g2, g3; name one with --gateway"))
      let gone = try await BuiltProgram.run(
        ["admit", "c0ffee000001", "--gateway", "g3"], environment: rig.environment)
      #expect(gone.status == 69)
      #expect(gone.errors.contains("g3 is offline"))
      #expect(try await BuiltProgram.run(["forget", "nobody"], environment: rig.environment).status == 64)
    }
  }

  @Test func `a board is shown in full, in words and as JSON`() async throws {
    try await ClientRig.with { rig in
      try await rig.publishFleet()
      let page = try await BuiltProgram.run(["board", "pump"], environment: rig.environment)
      #expect(page.status == 0)
      #expect(page.output.hasPrefix("Pump 3\n  board  "))
      #expect(!page.output.contains("\u{1B}"))
      let json = try await BuiltProgram.run(["board", "pump", "--json"], environment: rig.environment)
      let object = try StrictJSON.parse(Array(json.output.dropLast().utf8), limits: .trusting).object
      #expect(object?["gateway_availability"]?.object?["birth"] == 1)
      for (board, status) in [("c0ffee000001", 1), ("nobody", 64)] as [(String, Int32)] {
        #expect(try await BuiltProgram.run(["board", board], environment: rig.environment).status == status)
      }
    }
  }
}
