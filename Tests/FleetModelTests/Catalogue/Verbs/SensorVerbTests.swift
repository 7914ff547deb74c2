import FleetModel
import Testing

/// MQTT contract 3.9.
@Suite struct SensorVerbTests {
  private static let block = "660017fd8afc7f030300"

  private static let understoodCases: [(JSONObject, SensorCommand)] = [
    (["do": "fusion-reset-orientation"], .resetOrientation), (["do": "steps-reset"], .resetSteps),
    (
      ["do": "acceleration-offset", "x": 0.1, "z": -0.1],
      .shift(.acceleration, x: 0.1, y: 0, z: -0.1, isOn: true)
    ),
    (
      ["do": "angular-velocity-offset", "y": 2, "enabled": false],
      .shift(.angularVelocity, x: 0, y: 2, z: 0, isOn: false)
    ),
    (["do": "axes", "order": "yx-z"], .axes("yx-z")),
    (["do": "downsampling", "acceleration": 5], .downsample(acceleration: 5, gyroscope: 0)),
    (
      ["do": "fusion-calibration", "magnetometer_block": .string(block)],
      .calibrate([.magnetometer: [0x66, 0, 0x17, 0xFD, 0x8A, 0xFC, 0x7F, 3, 3, 0]])
    ),
  ]

  @Test(arguments: understoodCases)
  func `understood`(arguments: JSONObject, command: SensorCommand) throws {
    #expect(try intent("sensor", arguments) == .device(.sensor(command)))
  }

  private static let refusedCases: [(JSONObject, String)] = [
    ([:], "do"), (["do": "dance"], "fusion-reset-orientation"), (["do": "axes"], "order"),
    (["do": "steps-reset", "x": 1], "\"x\""), (["do": "downsampling", "gyroscope": 8], "0 to 7"),
    (["do": "fusion-calibration"], "at least one block"),
    (["do": "fusion-calibration", "gyroscope_block": "zz0017fd8afc7f030300"], "10 bytes"),
    (["do": "fusion-calibration", "gyroscope_block": "00"], "10 bytes"),
    (["do": "acceleration-offset", "x": 65], "-64 to 64"),
  ]

  @Test(
    arguments: refusedCases)
  func `refused, with what is wrong`(arguments: JSONObject, words: String) throws {
    let failure = try #require(try refusal("sensor", arguments))
    #expect(failure.code == .invalid)
    #expect(failure.message.contains(words), "\(failure.message)")
  }
}
