import FleetModel
import Testing

/// MQTT contract 3.4.
@Suite struct StreamVerbsTests {
  @Test func startsAsInTheContractsExample() throws {
    let wanted = try intent(
      "stream-start", ["stream": "acceleration", "rate_hz": 100, "range_g": 4, "for_s": 60])
    #expect(
      wanted
        == .streamStart(
          StreamRequest(
            name: "acceleration",
            configuration: ["rate_hz": 100, "range_g": 4, "packed": "auto", "record": true]),
          adjusted: [], duration: .seconds(60)))
  }

  @Test func startsComponentsWithTheConfigurationOfTheParent() throws {
    guard
      case .streamStart(let request, _, let duration) = try intent(
        "stream-start", ["stream": "acceleration-y"])
    else {
      Issue.record("not a start")
      return
    }
    #expect(request.name == "acceleration-y")
    #expect(request.configuration["rate_hz"] == 50)
    #expect(duration == nil)
  }

  @Test func nearestAdjustsAndSaysSo() throws {
    let wanted = try intent("stream-start", ["stream": "acceleration", "rate_hz": 60, "nearest": true])
    guard case .streamStart(let request, let adjusted, _) = wanted else {
      Issue.record("not a start")
      return
    }
    #expect(request.configuration["rate_hz"] == 50)
    #expect(request.configuration["nearest"] == nil)
    #expect(adjusted == ["rate_hz"])
  }

  private static let startRefusedCases: [(JSONObject, String)] = [
    ([:], "needs stream"), (["stream": "weather"], "acceleration, angular-velocity"),
    (["stream": "acceleration", "rate_hz": 60], "nearest 50 (set nearest)"),
    (["stream": "acceleration", "for_s": 0], "for_s"),
    (["stream": "acceleration", "for_s": 604_801], "for_s"),
    (["stream": "acceleration", "nearest": 1], "nearest"),
    (["stream": "acceleration", "rang_g": 4], "\"rang_g\""), (["stream": 5], "stream"),
    (["stream": ""], "stream"), (["stream": "*"], "no stream"),
  ]

  @Test(
    "refused, with what is wrong",
    arguments: startRefusedCases)
  func startRefused(arguments: JSONObject, words: String) throws {
    let failure = try #require(try refusal("stream-start", arguments))
    #expect(failure.code == .invalid)
    #expect(failure.message.contains(words))
  }

  @Test func stopsOneOrAll() throws {
    #expect(try intent("stream-stop", ["stream": "acceleration"]) == .streamStop("acceleration"))
    #expect(try intent("stream-stop", ["stream": "acceleration-x"]) == .streamStop("acceleration-x"))
    #expect(try intent("stream-stop", ["stream": "*"]) == .streamStop(nil))
  }

  private static let stopRefusedCases: [JSONObject] = [
    [:], ["stream": "weather"], ["stream": "all"], ["stream": "acceleration", "rate_hz": 50],
  ]

  @Test(arguments: stopRefusedCases)
  func stopRefused(arguments: JSONObject) throws {
    #expect(try refusal("stream-stop", arguments)?.code == .invalid)
  }

  @Test("F85 a hostile stream name reaches the message short and escaped")
  func hostileName() throws {
    let name = String(repeating: "\u{202E}\n", count: 30)
    for verb in ["stream-start", "stream-stop"] {
      let message = try #require(try refusal(verb, ["stream": .string(name)])?.message)
      #expect(message.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7F })
    }
  }
}
