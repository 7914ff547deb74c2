import Dialects
import FleetModel
import Support
import Testing

/// MQTT contract 0 and 3.1.
@Suite struct CommandParsingTests {
  private let arrived = Timestamp(milliseconds: 1_763_671_234_567)

  private func parse(
    _ payload: [UInt8], verb: String = "led", to target: CommandTarget = .board(.example),
    change: (inout MQTTMessage) -> Void = { _ in }
  ) -> IncomingCommand {
    var message = MQTTMessage(topic: "m/board/e5a1c2d3f4b6/cmd/\(verb)", payload: payload)
    change(&message)
    return CommandParsing.parse(message, target: target, verb: verb, arrived: arrived) { "fresh" }
  }

  private func request(
    _ text: String, verb: String = "led", to target: CommandTarget = .board(.example),
    change: (inout MQTTMessage) -> Void = { _ in }
  ) throws -> CommandRequest {
    guard case .request(let request) = parse(Array(text.utf8), verb: verb, to: target, change: change) else {
      throw CommandFailure.invalid("refused")
    }
    return request
  }

  private func refusal(
    _ text: String, verb: String = "led", to target: CommandTarget = .board(.example),
    change: (inout MQTTMessage) -> Void = { _ in }
  ) throws -> RefusedCommand {
    guard case .refused(let refused) = parse(Array(text.utf8), verb: verb, to: target, change: change) else {
      throw CommandFailure.invalid("not refused")
    }
    return refused
  }

  // What is a request.

  @Test func `all keys are read`() throws {
    let read = try request(
      #"{"id":"01JDB8ZK","args":{"color":"green"},"mode":"queue","expires_ms":1763671294567,"issued_ms":1763671234000}"#
    )
    #expect(read.id == "01JDB8ZK" && read.hasSenderID)
    #expect(read.arguments == ["color": "green"])
    #expect(read.mode == .queue)
    #expect(read.expires == Timestamp(milliseconds: 1_763_671_294_567))
    #expect(read.issued == Timestamp(milliseconds: 1_763_671_234_000))
    #expect(read.arrived == arrived && !read.delivery.isRedelivery && !read.isLight)
  }

  @Test(arguments: ["{}", " \n{ } ", #"{"args":{}}"#])
  func `without an id, arguments, mode and expiry`(payload: String) throws {
    let read = try request(payload, verb: "reset")
    #expect(read.id == "fresh" && !read.hasSenderID)
    #expect(read.arguments == [:] && read.mode == .now && read.expires == arrived + .seconds(30))
    #expect(read.issued == nil)
  }

  @Test(
    arguments: ["PRESS", "press it", "  ON", " ", "\n", "[]", "\"x\"", "5", "null", "🏭", "\u{FEFF}{}"])
  func `bare text counts as {}`(payload: String) throws {
    let read = try request(payload, verb: "reset")
    #expect(read.arguments == [:] && !read.hasSenderID && read.mode == .now)
  }

  @Test(arguments: [false, true])
  func `F80 an empty payload is never a command, retained or not`(isRetained: Bool) {
    let outcome = parse([]) { $0.isRetained = isRetained }
    guard case .empty = outcome else {
      Issue.record("taken for a command")
      return
    }
  }

  // Refused before acceptance.

  private static let retainedCases: [(String, String)] = [
    (#"{"id":"x","args":{"color":"green"}}"#, "x"), ("PRESS", "fresh"), ("{", "fresh"),
    (#"{"id":"not an id"}"#, "fresh"),
  ]

  @Test(arguments: retainedCases)
  func `F80 what is retained is refused, whatever it says`(payload: String, id: String) throws {
    let refused = try refusal(payload) { $0.isRetained = true }
    #expect(refused.failure.code == .retained)
    #expect(refused.id == id)
  }

  @Test(
    arguments: [
      [0xFF, 0xFE], [0x50, 0x52, 0xC0, 0x80], [0x7B, 0x22, 0xFF, 0x22, 0x7D], [0x50, 0x00],
      [0x7B, 0x7D, 0x00], [0x7B, 0x22, 0x00, 0x22, 0x3A, 0x31, 0x7D],
    ] as [[UInt8]])
  func `F84 bytes that are no UTF-8, or hold U+0000, are refused as text and as JSON`(payload: [UInt8]) {
    guard case .refused(let refused) = parse(payload, verb: "reset") else {
      Issue.record("taken")
      return
    }
    #expect(refused.failure.code == .invalid && refused.id == "fresh")
  }

  @Test(
    arguments: [
      "{", #"{"id":"a""#, #"{"id":"a","id":"a"}"#,
      #"{"id":"a","args":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{}}}}}}}}}"#, #"{"a":01}"#, #"{"a":NaN}"#,
      #"{"a":1e999}"#, #"{"id":"\u0000"}"#, "{} {}", "{}x",
    ])
  func `F84 unreadable JSON is refused with a fresh id`(payload: String) throws {
    let refused = try refusal(payload)
    #expect(refused.failure.code == .invalid && refused.id == "fresh")
  }

  @Test func `F84 more than 16 KiB is refused, as text and as JSON`() throws {
    #expect(throws: Never.self) { try request(String(repeating: "x", count: 16_384), verb: "reset") }
    #expect(
      try refusal(String(repeating: "x", count: 16_385), verb: "reset").failure.message.contains(
        "16385 bytes"))
    let json = #"{"id":"a","args":{}}"# + String(repeating: " ", count: 16_384)
    #expect(try refusal(json).failure.code == .invalid)
  }

  private static let unknownKeysCases: [(String, String)] = [
    (#"{"id":"a","arg":{}}"#, "\"arg\""), (#"{"id":"a","color":"green"}"#, "\"color\""),
    (#"{"id":"a","args":{},"state":"ON"}"#, "\"state\""), (#"{"id":"a","job":{}}"#, "\"job\""),
  ]

  @Test(arguments: unknownKeysCases)
  func `any other key is invalid and named`(payload: String, words: String) throws {
    let refused = try refusal(payload)
    #expect(refused.failure.code == .invalid && refused.id == "a")
    #expect(refused.failure.message.contains(words))
  }

  @Test func `a job is for groups`() throws {
    #expect(try request(#"{"id":"a","args":{},"job":{"parallel":4}}"#, to: .group("east")).id == "a")
  }

  @Test func `F85 a hostile key reaches the message short and escaped`() throws {
    let key = String(repeating: #"\u001b\u202e\n"#, count: 200)
    let message = try refusal("{\"\(key)\":1}").failure.message
    #expect(message.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7F })
    #expect(message.utf8.count < 600)
  }

  private static let wrongTypes = [
    #"{"args":[]}"#, #"{"args":"{}"}"#, #"{"args":null}"#, #"{"mode":"later"}"#, #"{"mode":1}"#,
    #"{"mode":"NOW"}"#, #"{"mode":null}"#, #"{"expires_ms":"1763671294567"}"#,
    #"{"expires_ms":1763671294567.5}"#, #"{"expires_ms":true}"#, #"{"issued_ms":"x"}"#,
    #"{"issued_ms":null}"#,
  ]

  @Test(arguments: wrongTypes)
  func `wrong types are invalid`(payload: String) throws {
    #expect(try refusal(payload, verb: "reset").failure.code == .invalid)
  }

  // Identifiers.

  @Test(arguments: [
    "a", "A-z_0.9", "01JDB8ZKQ4N8W2M6T5V7X9Z1AB", ".", "-", String(repeating: "x", count: 64),
  ])
  func `identifiers`(id: String) throws { #expect(try request(#"{"id":"\#(id)"}"#).id == id) }

  @Test(
    arguments: [
      "", "a b", "a/b", "a+", "#", "ä", "a\\n", "\\u202ea", "..\\/..", "a:b",
      String(repeating: "x", count: 65),
    ])
  func `F85 other identifiers are invalid, and the answer bears a fresh one`(id: String) throws {
    let refused = try refusal(#"{"id":"\#(id)"}"#)
    #expect(refused.failure.code == .invalid && refused.id == "fresh")
  }

  @Test(arguments: ["5", "null", "true", "[\"a\"]", "{}"])
  func `identifiers are text`(value: String) throws {
    #expect(try refusal(#"{"id":\#(value)}"#).failure.code == .invalid)
  }

  // Times.

  private static let expiryCases: [(String, Int64, Bool)] = [
    // Mode, milliseconds ahead, whether it is taken.
    ("now", 600_000, true), ("now", 600_001, false), ("queue", 604_800_000, true),
    ("queue", 604_800_001, false),
    ("now", 0, true), ("now", -5_000, true),
  ]

  @Test(arguments: expiryCases)
  func `expiry is bounded by mode; what has expired is for the dispatcher to say`(
    mode: String, ahead: Int64, isTaken: Bool
  ) throws {
    let text = #"{"mode":"\#(mode)","expires_ms":\#(arrived.milliseconds + ahead)}"#
    if isTaken {
      #expect(
        try request(text, verb: "reset").expires == Timestamp(milliseconds: arrived.milliseconds + ahead))
    } else {
      #expect(try refusal(text, verb: "reset").failure.code == .invalid)
    }
  }

  @Test(
    arguments: ["9223372036854775807", "-9223372036854775808", "0", "5.0"])
  func `F84 times at the ends of the range do not trap`(number: String) {
    for key in ["expires_ms", "issued_ms"] {
      _ = parse(Array(#"{"\#(key)":\#(number)}"#.utf8), verb: "reset")
    }
  }

  @Test func `queued requests stand a day`() throws {
    #expect(try request(#"{"mode":"queue"}"#).expires == arrived + .seconds(86_400))
  }

  private static let messageExpiryCases: [(UInt32, Int64)] = [
    (5, 5_000), (0, 0), (30, 30_000), (31, 30_000), (.max, 30_000),
  ]

  @Test(arguments: messageExpiryCases)
  func `the MQTT 5 message expiry, if shorter, wins`(seconds: UInt32, ahead: Int64) throws {
    let read = try request("{}", verb: "reset") { $0.properties.expiryInterval = seconds }
    #expect(read.expires == arrived + .milliseconds(ahead))
  }

  private static let issuedCases: [(Int64, Bool)] = [
    (-3_600_000, true), (0, true), (60_000, true), (60_001, false),
  ]

  @Test(arguments: issuedCases)
  func `a sender's clock may be a minute ahead`(ahead: Int64, isTaken: Bool) throws {
    let outcome = parse(Array(#"{"issued_ms":\#(arrived.milliseconds + ahead)}"#.utf8), verb: "reset")
    if case .request = outcome { #expect(isTaken) } else { #expect(!isTaken) }
  }

  // Home Assistant's light form.

  @Test func `the light form is recognised by its state`() throws {
    let read = try request(#"{"id":"a","state":"ON","color":{"r":255,"g":0,"b":0},"transition":2}"#)
    #expect(read.isLight && read.id == "a")
    #expect(read.arguments == ["state": "ON", "color": ["r": 255, "g": 0, "b": 0], "transition": 2])
  }

  private static let noLightFormCases: [(String, String)] = [
    ("reset", #"{"state":"ON"}"#), ("led", #"{"state":"ON","args":{}}"#),
    ("led", #"{"color":{"r":1,"g":2,"b":3}}"#), ("led", #"{"state":"ON","rainbow":true}"#),
  ]

  @Test(arguments: noLightFormCases)
  func `and is for the verb led alone, without args`(verb: String, payload: String) throws {
    #expect(try refusal(payload, verb: verb).failure.code == .invalid)
  }

  // What goes with a request.

  @Test func `repeats are told apart by their bytes`() throws {
    let one = try request(#"{"id":"a","args":{"color":"green"}}"#).delivery.payloadHash
    #expect(try request(#"{"id":"a","args":{"color":"green"}}"#).delivery.payloadHash == one)
    #expect(try request(#"{"id":"a","args":{"color":"green"} }"#).delivery.payloadHash != one)
  }

  @Test func `the requesters own topic and mark are kept`() throws {
    let read = try request("{}", verb: "reset") {
      $0.properties.responseTopic = "me/answers"
      $0.properties.correlationData = [1, 2]
      $0.isRedelivery = true
    }
    #expect(read.replyTo == ReplyAddress(responseTopic: "me/answers", correlationData: [1, 2]))
    #expect(read.delivery.isRedelivery)
    let refused = try refusal("{") {
      $0.properties.responseTopic = "me/answers"
      $0.properties.correlationData = [1, 2]
    }
    #expect(refused.replyTo == ReplyAddress(responseTopic: "me/answers", correlationData: [1, 2]))
  }

  @Test(
    arguments: ["", "a/+/b", "#", "a/#", "a\u{0}b"])
  func `F85 a response topic that cannot be published on is none`(topic: String) throws {
    #expect(
      try request("{}", verb: "reset") { $0.properties.responseTopic = topic }.replyTo.responseTopic == nil)
    #expect(try refusal("{") { $0.properties.responseTopic = topic }.replyTo.responseTopic == nil)
  }

  @Test(
    arguments: 1...10 as ClosedRange<UInt64>)
  func `F84 10 000 hostile payloads: each is a request or refused with a code`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for number in 0..<1_000 {
      let payload = GeneratedJSON.hostilePayload(using: &random)
      switch parse(payload, verb: "stream-start") {
      case .empty: #expect(payload.isEmpty, "seed \(seed), payload \(number)")
      case .refused(let refused):
        #expect(refused.failure.code == .invalid, "seed \(seed), payload \(number)")
        #expect(refused.failure.message.utf8.count < 600, "seed \(seed), payload \(number)")
        #expect(!refused.failure.message.utf8.contains { $0 < 0x20 }, "seed \(seed), payload \(number)")
      case .request(let request):
        #expect(payload.count <= 16_384, "seed \(seed), payload \(number)")
        _ = try? request.interpret()
      }
    }
  }

  @Test(arguments: ["now", "queue"])
  func `F83 what needs a confirmation does not wait for long`(mode: String) throws {
    let standard = try request(#"{"mode":"\#(mode)","args":{"confirm":"e5a1c2d3f4b6"}}"#, verb: "settings")
      .expires
    #expect(standard == arrived + .seconds(mode == "now" ? 30 : 300))
    let late = arrived.milliseconds + 300_001
    let text = #"{"mode":"\#(mode)","expires_ms":\#(late),"args":{"confirm":"e5a1c2d3f4b6"}}"#
    #expect(throws: CommandFailure.self) { try request(text, verb: "settings") }
  }

  @Test func `F183 a batch waits no longer than what is most dangerous in it may`() throws {
    func batch(_ arguments: String) throws -> Timestamp {
      try request(
        #"{"mode":"queue","args":{"commands":[{"verb":"reset"},{"verb":"sleep","args":\#(arguments)}]}}"#,
        verb: "batch"
      ).expires
    }
    #expect(try batch("{}") == arrived + .seconds(86_400))
    #expect(try batch(#"{"confirm":"e5a1c2d3f4b6"}"#) == arrived + .seconds(300))
  }
}
