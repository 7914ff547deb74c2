import FleetModel
import Testing

/// MQTT contract 3.11.
@Suite struct BatchVerbTests {
  private static let board = BoardID(BluetoothAddress(rawValue: 1))

  private static func request(
    _ commands: JSONValue, _ further: JSONObject = [:], to target: CommandTarget = .board(board)
  ) -> CommandRequest {
    CommandRequest(
      id: "a", hasSenderID: true, target: target, verb: "batch",
      arguments: JSONObject([("commands", commands)]).merging(further), mode: .now,
      expires: Timestamp(milliseconds: 1), issued: nil, arrived: Timestamp(milliseconds: 0), payloadHash: 0)
  }

  private static func refusal(
    _ commands: JSONValue, _ further: JSONObject = [:], to target: CommandTarget = .board(board)
  ) -> CommandFailure? {
    do throws(CommandFailure) {
      _ = try request(commands, further, to: target).interpret()
      return nil
    } catch { return error }
  }

  private static let reset: JSONValue = ["verb": "reset"]
  private static let read: JSONValue = ["verb": "read", "args": ["what": "battery"]]

  @Test func `its commands mean what they mean alone, in their order`() throws {
    let intent = try Self.request(
      [["verb": "identify", "args": ["for_s": 3]], Self.read, Self.reset], ["on_failure": "continue"]
    ).interpret()
    guard case .board(.batch(let batch)) = intent else {
      Issue.record("\(intent)")
      return
    }
    #expect(batch.steps.map(\.verb) == ["identify", "read", "reset"] && batch.continuesAfterFailure)
    #expect(batch.steps.first?.intent == .device(.identify(seconds: 3)))
    #expect(batch.steps.last?.intent == .device(.reset))
    #expect(intent.commandCount == 3)
    guard case .board(.batch(let plain)) = try Self.request([Self.read]).interpret() else { return }
    #expect(!plain.continuesAfterFailure)
  }

  private static let wrong: [(JSONValue, String)] = [
    ([], "commands of batch has no entries"),
    ("led", "commands of batch must be"),
    ([["args": [:]]], "commands[0] needs verb"),
    ([["verb": "led", "arg": [:]]], "commands[0] has no key \"arg\"; did you mean args?"),
    ([["verb": "read", "args": "battery"]], "commands[0].args must be an object"),
    (
      [["verb": "led", "args": ["color": "red"]], ["verb": "lead"]],
      "commands[1].verb: there is no verb \"lead\""
    ),
    ([["verb": "lead"]], "did you mean led?"),
    ([["verb": "reload"]], "commands[0].verb: reload is a verb of gateways"),
    (
      [["verb": "batch", "args": ["commands": [["verb": "reset"]]]]], "commands[0].verb: a batch cannot hold"
    ),
    (
      [["verb": "reset"], ["verb": "identify"]],
      "commands[0].verb: reset ends the connection to the board; put it last"
    ),
    ([["verb": "disconnect"], ["verb": "identify"]], "commands[0].verb: disconnect ends the connection"),
    (
      [["verb": "identify"], ["verb": "led", "args": ["color": "rde"]]],
      "commands[1].args.color: color of led"
    ),
    ([["verb": "led", "args": ["color": ["r": 1, "g": 2, "b": 999]]]], "commands[0].args.color.b: "),
    ([["verb": "led", "args": ["colour": "red"]]], "commands[0].args.colour: led has no key \"colour\""),
    ([["verb": "read", "args": ["what": "gpio", "pin": 99]]], "commands[0].args.pin: "),
    ([["verb": "read"]], "commands[0].args.what: read needs what"),
    ([["verb": "sleep"]], "commands[0].args.confirm: sleep needs confirm=000000000001"),
    ([["verb": "sleep", "args": ["confirm": "east"]]], "commands[0].args: confirm must be 000000000001"),
  ]

  @Test(arguments: wrong)
  func `what is wrong with any of its commands refuses the whole, and is told with its place`(
    commands: JSONValue, words: String
  ) throws {
    let failure = try #require(Self.refusal(commands))
    #expect(failure.code == .invalid)
    #expect(failure.message.contains(words), "\(failure.message)")
  }

  @Test func `it has at most 16 commands`() {
    #expect(Self.refusal(.array(Array(repeating: Self.read, count: 16))) == nil)
    #expect(
      Self.refusal(.array(Array(repeating: Self.read, count: 17)))?.message.contains("at most 16") == true)
  }

  @Test func `on_failure is stop or continue`() {
    #expect(Self.refusal([Self.read], ["on_failure": "ignore"])?.code == .invalid)
  }

  @Test func `F183 a command that destroys something needs its own confirmation, last or not`() throws {
    let clear: JSONValue = ["verb": "log-clear", "args": ["confirm": "000000000001", "discard": 3]]
    #expect(Self.refusal([clear, Self.read]) == nil)
    #expect(Self.refusal([["verb": "log-clear"], Self.read])?.code == .invalid)
    #expect(Self.refusal([["verb": "log-clear"], Self.read], ["confirm": "000000000001"])?.code == .invalid)
    let sleep: JSONValue = ["verb": "sleep", "args": ["confirm": "east"]]
    #expect(Self.refusal([Self.read, sleep], to: .group("east")) == nil)
  }

  @Test func `F183 every verb in it is judged, and every action in those`() {
    let nested: JSONValue = [
      "verb": "macro-record", "args": ["name": "a", "action": [["verb": "raw", "args": ["hex": "0101"]]]],
    ]
    let request = Self.request([Self.read, nested])
    #expect(request.verbs == ["batch", "read", "macro-record", "raw"])
    let permissions = CommandPermissions([.init(verbs: ["batch", "read"])])
    #expect(throws: Never.self) { try permissions.check(Self.request([Self.read]), in: []) }
    #expect(throws: CommandFailure.self) {
      try permissions.check(Self.request([Self.read, Self.reset]), in: [])
    }
    #expect(throws: CommandFailure.self) {
      try CommandPermissions([.init(verbs: ["read"])]).check(Self.request([Self.read]), in: [])
    }
  }

  @Test func `a chain that a command creates is a stream for those behind it`() throws {
    let create: JSONValue = [
      "verb": "processor-create",
      "args": ["name": "presses", "from": "switch", "chain": ["counter"]],
    ]
    let start: JSONValue = ["verb": "stream-start", "args": ["stream": "presses"]]
    let intent = try Self.request([create, start]).interpret()
    #expect(throws: Never.self) { try intent.checkStream(among: []) }
    let reversed = try Self.request([start, create]).interpret()
    let failure = try #require(throws: CommandFailure.self) { try reversed.checkStream(among: []) }
    #expect(
      failure.message.hasPrefix("commands[0].args: there is no stream \"presses\""), "\(failure.message)")
  }
}
