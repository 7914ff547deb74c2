import FleetModel
import Testing

/// MQTT contract 3.3.
@Suite struct ReadVerbTests {
  @Test(arguments: [
    "battery", "temperature", "switch", "power-status", "charge-status", "mac", "device", "module-info",
    "log-length", "log-time", "led", "reset-cause", "rssi", "humidity", "pressure", "steps",
  ])
  func `takes what without selectors`(what: String) throws {
    #expect(
      try intent("read", ["what": .string(what)]) == .device(.read(ReadRequest(what: what, selectors: [:]))))
  }

  private static let takesSelectorsCases: [(String, JSONObject)] = [
    ("temperature", ["source": "die"]), ("temperature", ["source": "bmp280"]),
    ("gpio", ["pin": 3, "kind": "digital", "delay_us": 0]),
    ("gpio", ["pin": 3, "kind": "adc", "pull_up_pin": 1, "delay_us": 10]),
    ("sensor-config", ["module": "gyroscope"]), ("fusion-calibration", ["blocks": true]),
    ("temperature", ["channel": 7]), ("module-info", ["module": "accelerometer"]),
  ]

  @Test(arguments: takesSelectorsCases)
  func `takes selectors`(what: String, selectors: JSONObject) throws {
    #expect(
      try intent("read", selectors.merging(["what": .string(what)]))
        == .device(.read(ReadRequest(what: what, selectors: selectors))))
  }

  private static let refusedCases: [(JSONObject, String)] = [
    ([:], "needs what"), (["what": "weather"], "battery, temperature"), (["what": 5], "what"),
    (["what": "battery", "source": "die"], "\"source\""),
    (["what": "temperature", "source": "core"], "die, thermistor"),
    (["what": "temperature", "channel": 8], "0 to 7"), (["what": "temperature", "channel": "0"], "0 to 7"),
    (["what": "gpio"], "pin"), (["what": "gpio", "pin": 1, "virtual_pin": 2], "analog"),
    (["what": "sensor-config", "module": "led"], "accelerometer"),
    (["what": "temperature", "source": "die", "channel": 0], "not both"), (["waht": "battery"], "what"),
  ]

  @Test(
    arguments: refusedCases)
  func `refused, with what is wrong`(arguments: JSONObject, words: String) throws {
    let failure = try #require(try refusal("read", arguments))
    #expect(failure.code == .invalid)
    #expect(failure.message.contains(words))
  }
}
