import FleetModel
import Testing

@Suite struct CommandRequestTests {
  private func request(
    _ verb: String, _ arguments: JSONObject = [:], to target: CommandTarget? = nil, isLight: Bool = false
  ) -> CommandRequest {
    var request = CommandRequest(
      id: "a", hasSenderID: true, target: target ?? .board(BoardID(BluetoothAddress(rawValue: 1))),
      verb: verb,
      arguments: arguments, mode: .now, expires: Timestamp(milliseconds: 1), issued: nil,
      arrived: Timestamp(milliseconds: 0), payloadHash: 0)
    request.isLight = isLight
    return request
  }

  @Test func `means what the catalogue says`() throws {
    #expect(try request("reset").interpret() == .device(.reset))
    #expect(try request("reload", to: .gateway("gw")).interpret() == .gateway(.reload(isConfirmed: false)))
    #expect(try request("reset", to: .group("east")).interpret() == .device(.reset))
    #expect(try request("led", ["state": "OFF"], isLight: true).interpret() == .device(.led(.off)))
  }

  @Test func `the light form has other keys than the verb`() {
    #expect(throws: CommandFailure.self) {
      try request("led", ["state": "ON", "flash": "short"]).interpret()
    }
    #expect(throws: Never.self) {
      try request("led", ["state": "ON", "flash": "short"], isLight: true).interpret()
    }
  }

  private static let unknownVerbCases: [(String, CommandTarget, String)] = [
    ("rest", CommandTarget.gateway("gw"), "adapter-reset, admission, admit"),
    ("admit", .group("all"), "batch, bootloader, disconnect, event-bind"),
    ("LED", .group("all"), "did you mean led?"),
    ("", .group("all"), "led"),
  ]

  @Test(
    arguments: unknownVerbCases)
  func `an unknown verb is invalid, and the answer names the nearest, or lists those there are`(
    verb: String, target: CommandTarget, words: String
  ) throws {
    let failure = try #require(throws: CommandFailure.self) { try request(verb, to: target).interpret() }
    #expect(failure.code == .invalid)
    #expect(failure.message.contains(words))
  }

  @Test func `a hostile verb reaches the message short and escaped`() throws {
    let failure = try #require(throws: CommandFailure.self) {
      try request(String(repeating: "\u{1B}\n\u{202E}", count: 5_000)).interpret()
    }
    #expect(failure.message.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7F })
    #expect(failure.message.utf8.count < 1_000)
  }

  @Test(
    arguments: ["log-clear", "factory-reset", "sleep"])
  func `a verb that destroys something says what to confirm`(verb: String) throws {
    let board = BoardID(BluetoothAddress(rawValue: 1)).description
    let failure = try #require(throws: CommandFailure.self) { try request(verb).interpret() }
    #expect(failure == .invalid("\(verb) needs confirm=\(board)"))
  }

  @Test
  func
    `an action that puts the board to sleep needs the id of whom it is meant for, around it (MQTT contract 3.6)`()
    throws
  {
    let board = BoardID(BluetoothAddress(rawValue: 1)).description
    let verbs: [(String, JSONObject)] = [
      ("event-bind", ["name": "a", "source": "button"]), ("timer-create", ["name": "a", "period_ms": 1]),
      ("macro-record", ["name": "a"]),
    ]
    for (verb, arguments) in verbs {
      var arguments = arguments
      arguments["action"] = [["verb": "led", "args": ["state": "OFF"]], ["verb": "sleep"]]
      let failure = try #require(throws: CommandFailure.self) { try request(verb, arguments).interpret() }
      #expect(failure.message.contains("confirm: \(board)"), "\(failure.message)")
      arguments["confirm"] = "c0ffee000009"
      #expect(throws: CommandFailure.self) { try request(verb, arguments).interpret() }
      arguments["confirm"] = .string(board)
      let intent = try request(verb, arguments).interpret()
      guard case .board(.link(.device(.program(let command)))) = intent else {
        Issue.record("\(intent)")
        continue
      }
      #expect(command.declaration?.arguments["confirm"] == nil, "what is kept is for whoever has the profile")
    }
  }

  @Test func `the version of an update is judged behind its confirmation`() {
    func code(_ arguments: JSONObject) -> CommandFailure.Code? {
      do throws(CommandFailure) {
        _ = try request("firmware-update", arguments).interpret()
        return nil
      } catch { return error.code }
    }
    #expect(code([:]) == .invalid)
    #expect(code(["confirm": "000000000002"]) == .invalid)
    #expect(code(["confirm": "000000000001", "version": "../1.7.3"]) == .invalid)
    #expect(code(["confirm": "000000000001", "version": "1.7.3"]) == nil)
  }

  private static let listing: JSONObject = ["whitelist": ["mode": "any", "addresses": []]]

  @Test func `what is confirmed must be what is addressed`() throws {
    func refusal(_ confirmation: JSONValue, to target: CommandTarget? = nil) -> String? {
      var arguments = Self.listing
      arguments["confirm"] = confirmation
      do throws(CommandFailure) {
        _ = try request("settings", arguments, to: target).interpret()
        return nil
      } catch { return error.message }
    }
    #expect(refusal("000000000001") == nil)
    #expect(refusal("000000000002")?.contains("confirm must be 000000000001") == true)
    let other = request("reload", ["confirm": "other"], to: .gateway("gw"))
    #expect(
      throws: CommandFailure.invalid("confirm must be gw, the id of the gateway that the command addresses")
    ) {
      try other.interpret()
    }
    #expect(refusal("east", to: .group("east")) == nil)
    #expect(refusal("000000000001", to: .group("east"))?.contains("east") == true)
  }
}
