import FleetModel
import Testing

@Suite struct StreamDefinitionTests {
  private func configured(_ stream: String, _ keys: JSONObject, nearest: Bool = false) throws
    -> ValidArguments
  {
    try #require(StreamCatalogue.find(stream)).stream.configure(keys, acceptNearest: nearest)
  }

  @Test func `defaults are filled in`() throws {
    #expect(
      try configured("acceleration", [:]).values == [
        "rate_hz": 50, "range_g": 4, "packed": "auto", "record": true,
      ])
    #expect(try configured("temperature-die", [:]).values == ["every": "60s", "record": true])
    #expect(try configured("switch", [:]).values == ["record": true])
  }

  @Test func `values of the list are taken`() throws {
    let valid = try configured(
      "acceleration", ["rate_hz": 0.78, "range_g": 16.0, "packed": "off", "live_rate_hz": 0])
    #expect(
      valid.values == ["rate_hz": 0.78125, "range_g": 16, "packed": "off", "live_rate_hz": 0, "record": true])
  }

  private static let anythingElseIsInvalidCases: [(String, JSONObject, String)] = [
    ("acceleration", ["rate_hz": 60], "write 50"), ("acceleration", ["every": "60s"], "\"every\""),
    ("acceleration", ["rate": 50], "\"rate\""), ("temperature-die", ["every": "99ms"], "100ms"),
    ("temperature-die", ["every": 60], "interval"), ("acceleration", ["live_rate_hz": 51], "0 to 50"),
    ("acceleration", ["record": 1], "true or false"), ("temperature-external", [:], "data_pin"),
    ("temperature-external", ["data_pin": 256, "pulldown_pin": 1], "0 to 255"),
  ]

  @Test(arguments: anythingElseIsInvalidCases)
  func `anything else is invalid`(stream: String, keys: JSONObject, words: String) throws {
    let error = try #require(throws: CommandFailure.self) { try configured(stream, keys) }
    #expect(error.code == .invalid)
    #expect(error.message.contains(words))
  }

  @Test func `the nearest is listed`() throws {
    let valid = try configured("acceleration", ["rate_hz": 60, "range_g": 3], nearest: true)
    #expect(valid.values["rate_hz"] == 50)
    #expect(valid.values["range_g"] == 2)
    #expect(valid.adjusted == ["rate_hz", "range_g"])
  }
}
