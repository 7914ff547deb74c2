import Testing

@testable import FleetModel

/// What chains need of their board (MQTT contract 2.1, 3.8).
@Suite struct ChainFeedsTests {
  private func feeds(_ chains: [String: JSONObject]) throws -> [StreamRequest] {
    var program = BoardProgram()
    for (name, arguments) in chains { program.chains[name] = try Chain.parse(arguments) }
    return program.feeds
  }

  @Test func aChainNeedsItsSensorAsItWasTold() throws {
    let feeds = try feeds([
      "calm": ["from": "acceleration-y", "rate_hz": 100, "chain": [["average": 4]], "live_rate_hz": 1]
    ])
    #expect(feeds.map(\.name) == ["acceleration-y"])
    #expect(feeds.first?.consumer == .chain("calm"))
    #expect(feeds.first?.configuration["rate_hz"] == 100)
    #expect(feeds.first?.configuration["range_g"] == 4)
    #expect(feeds.first?.configuration["live_rate_hz"] == nil)
  }

  @Test func fusersNeedAllTheyJoinAtOneRate() throws {
    let feeds = try feeds([
      "both": [
        "from": "acceleration", "rate_hz": 25, "range_dps": 500,
        "chain": [["fuser": ["with": ["angular-velocity", "presses"]]]],
      ], "presses": ["from": "switch", "chain": ["counter", "buffer"], "to": []],
    ])
    #expect(feeds.map(\.name) == ["acceleration", "angular-velocity", "switch"])
    #expect(feeds.prefix(2).allSatisfy { $0.configuration["rate_hz"] == 25 && $0.consumer == .chain("both") })
    #expect(feeds[1].configuration["range_dps"] == 500)
    #expect(feeds[0].configuration["range_dps"] == nil)
  }

  @Test func whatIsReadAndWhatOtherChainsYieldNeedsNoSensor() throws {
    let feeds = try feeds([
      "warm": ["from": "temperature-die", "every": "1m", "chain": [["average": 4]]],
      "warmer": ["from": "warm", "chain": [["average": 4]]],
    ])
    #expect(feeds == [])
  }

  private static let refused: [(arguments: JSONObject, words: String)] = [
    (["from": "acceleration", "rate_hz": 60], "nearest 50"),
    (["from": "acceleration", "range_dps": 500], "range_dps"),
    (["from": "calm", "rate_hz": 50], "rate_hz"), (["from": "acceleration", "record": 1], "record"),
    (["from": "acceleration", "live_rate_hz": 51], "live_rate_hz"),
  ]

  @Test(arguments: refused.indices)
  func refuses(index: Int) throws {
    let (arguments, words) = Self.refused[index]
    var chain = arguments
    chain["chain"] = ["rms"]
    let failure = try #require(throws: CommandFailure.self) { try Chain.parse(chain) }
    #expect(failure.code == .invalid && failure.message.contains(words), "\(failure.message)")
  }

  @Test func theNearestIsTakenOnRequest() throws {
    let chain = try Chain.parse(["from": "acceleration", "rate_hz": 60, "nearest": true, "chain": ["rms"]])
    #expect(chain.configuration == ["rate_hz": 50])
  }

  @Test func onlyChainsThatShallAreStreams() throws {
    var program = BoardProgram()
    program.chains["calm"] = try Chain.parse(["from": "acceleration", "chain": ["rms"], "live_rate_hz": 1])
    program.chains["inner"] = try Chain.parse(["from": "acceleration", "chain": ["rms"], "to": []])
    program.chains["kept"] = try Chain.parse(["from": "acceleration", "chain": ["rms"], "to": ["log"]])
    #expect(
      program.streams == [
        "calm": StreamRequest(name: "calm", configuration: ["live_rate_hz": 1, "record": true])
      ])
  }
}
