import FleetModel
import Testing

/// MQTT contract 3.4.
@Suite struct StreamVerbsTests {
  @Test func `starts as in the contracts example`() throws {
    let wanted = try intent(
      "stream-start", ["stream": "acceleration", "rate_hz": 100, "range_g": 4, "for_s": 60])
    #expect(
      wanted
        == .link(
          .streamStart(
            StreamRequest(
              name: "acceleration",
              configuration: ["rate_hz": 100, "range_g": 4, "packed": "auto", "record": true]),
            adjusted: [], duration: .seconds(60))))
  }

  @Test func `starts components with the configuration of the parent`() throws {
    guard
      case .board(.link(.streamStart(let request, _, let duration))) = try intent(
        "stream-start", ["stream": "acceleration-y"])
    else {
      Issue.record("not a start")
      return
    }
    #expect(request.name == "acceleration-y")
    #expect(request.configuration["rate_hz"] == 50)
    #expect(duration == nil)
  }

  @Test func `nearest adjusts and says so`() throws {
    let wanted = try intent("stream-start", ["stream": "acceleration", "rate_hz": 60, "nearest": true])
    guard case .board(.link(.streamStart(let request, let adjusted, _))) = wanted else {
      Issue.record("not a start")
      return
    }
    #expect(request.configuration["rate_hz"] == 50)
    #expect(request.configuration["nearest"] == nil)
    #expect(adjusted == ["rate_hz"])
  }

  private static let startRefusedCases: [(JSONObject, String)] = [
    ([:], "needs stream"), (["stream": "Weather"], "acceleration, angular-velocity"),
    (["stream": "acceleration", "rate_hz": 60], "write 50, or set nearest: true"),
    (["stream": "acceleration", "for_s": 0], "for_s"),
    (["stream": "acceleration", "for_s": 604_801], "for_s"),
    (["stream": "acceleration", "nearest": 1], "nearest"),
    (["stream": "acceleration", "rang_g": 4], "\"rang_g\""), (["stream": 5], "stream"),
    (["stream": ""], "stream"), (["stream": "*"], "no stream"),
  ]

  @Test(
    arguments: startRefusedCases)
  func `refused, with what is wrong`(arguments: JSONObject, words: String) throws {
    let failure = try #require(try refusal("stream-start", arguments))
    #expect(failure.code == .invalid)
    #expect(failure.message.contains(words))
  }

  @Test func `stops one or all`() throws {
    #expect(try intent("stream-stop", ["stream": "acceleration"]) == .link(.streamStop("acceleration")))
    #expect(try intent("stream-stop", ["stream": "acceleration-x"]) == .link(.streamStop("acceleration-x")))
    #expect(try intent("stream-stop", ["stream": "*"]) == .link(.streamStop(nil)))
  }

  private static let stopRefusedCases: [JSONObject] = [
    [:], ["stream": "Weather"], ["stream": "al*"], ["stream": "acceleration", "rate_hz": 50],
  ]

  @Test(arguments: stopRefusedCases)
  func `stop refused`(arguments: JSONObject) throws {
    #expect(try refusal("stream-stop", arguments)?.code == .invalid)
  }

  @Test func `what may be a chain is judged by the board's own`() throws {
    for arguments: JSONObject in [["stream": "weather"], ["stream": "weather", "live_rate_hz": 1]] {
      let start = try intent("stream-start", arguments)
      let failure = try #require(throws: CommandFailure.self) { try start.checkStream(among: ["calm"]) }
      #expect(
        failure.code == .invalid && failure.message.contains("steps, ") && failure.message.contains(", calm"))
      try start.checkStream(among: ["calm", "weather"])
    }
    let stop = try intent("stream-stop", ["stream": "weather"])
    #expect(throws: CommandFailure.self) { try stop.checkStream(among: []) }
    try stop.checkStream(among: ["weather"])
    try intent("stream-stop", ["stream": "*"]).checkStream(among: [])
    try intent("stream-start", ["stream": "acceleration-x"]).checkStream(among: [])
    #expect(try refusal("stream-start", ["stream": "weather", "rate_hz": 50])?.code == .invalid)
  }

  @Test func `F85 a hostile stream name reaches the message short and escaped`() throws {
    let name = String(repeating: "\u{202E}\n", count: 30)
    for verb in ["stream-start", "stream-stop"] {
      let message = try #require(try refusal(verb, ["stream": .string(name)])?.message)
      #expect(message.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7F })
    }
  }
}
