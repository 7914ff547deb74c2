import Testing

@testable import FleetModel

/// What chains need of their board (MQTT contract 2.1, 3.8).
@Suite struct ChainSensorsTests {
  private func sensors(_ chains: [String: JSONObject]) throws -> [StreamRequest] {
    var program = BoardProgram()
    for (name, arguments) in chains { program.chains[name] = try Chain.parse(arguments) }
    return program.sensors
  }

  @Test func `a chain needs its sensor as it was told`() throws {
    let sensors = try sensors([
      "calm": ["from": "acceleration-y", "rate_hz": 100, "chain": [["average": 4]], "live_rate_hz": 1]
    ])
    #expect(sensors.map(\.name) == ["acceleration-y"])
    #expect(sensors.first?.consumer == .chain("calm"))
    #expect(sensors.first?.configuration["rate_hz"] == 100)
    #expect(sensors.first?.configuration["range_g"] == 4)
    #expect(sensors.first?.configuration["live_rate_hz"] == nil)
  }

  @Test func `fusers need all they join at one rate`() throws {
    let sensors = try sensors([
      "both": [
        "from": "acceleration", "rate_hz": 25, "range_dps": 500,
        "chain": [["fuser": ["with": ["angular-velocity", "presses"]]]],
      ], "presses": ["from": "switch", "chain": ["counter", "buffer"], "to": []],
    ])
    #expect(sensors.map(\.name) == ["acceleration", "angular-velocity", "switch"])
    #expect(
      sensors.prefix(2).allSatisfy { $0.configuration["rate_hz"] == 25 && $0.consumer == .chain("both") })
    #expect(sensors[1].configuration["range_dps"] == 500)
    #expect(sensors[0].configuration["range_dps"] == nil)
  }

  @Test func `what is read and what other chains yield needs no sensor`() throws {
    let sensors = try sensors([
      "warm": ["from": "temperature-die", "every": "1m", "chain": [["average": 4]]],
      "warmer": ["from": "warm", "chain": [["average": 4]]],
    ])
    #expect(sensors == [])
  }

  private static let refused: [(arguments: JSONObject, words: String)] = [
    (["from": "acceleration", "rate_hz": 60], "write 50"),
    (["from": "acceleration", "range_dps": 500], "range_dps"),
    (["from": "calm", "rate_hz": 50], "rate_hz"), (["from": "acceleration", "record": 1], "record"),
    (["from": "acceleration", "live_rate_hz": 51], "live_rate_hz"),
  ]

  @Test(arguments: refused.indices)
  func `refuses`(index: Int) throws {
    let (arguments, words) = Self.refused[index]
    var chain = arguments
    chain["chain"] = ["rms"]
    let failure = try #require(throws: CommandFailure.self) { try Chain.parse(chain) }
    #expect(failure.code == .invalid && failure.message.contains(words), "\(failure.message)")
  }

  @Test func `the nearest is taken on request`() throws {
    let chain = try Chain.parse(["from": "acceleration", "rate_hz": 60, "nearest": true, "chain": ["rms"]])
    #expect(chain.configuration == ["rate_hz": 50])
  }

  @Test func `only chains that shall are streams`() throws {
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
