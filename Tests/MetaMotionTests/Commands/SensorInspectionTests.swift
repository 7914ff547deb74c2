import BoardKit
import FleetModel
import Support
import Testing

@testable import MetaMotion

/// MQTT contract 3.3: how sensors are set, and how well fusion is calibrated.
@Suite(.timeLimit(.minutes(20)))
struct SensorInspectionTests {
  private static let settings: [(String, [(String, String)], JSONObject)] = [
    ("accelerometer", [("0383", "0383a801")], ["rate_hz": 100, "range_g": 4, "hex": "a801"]),
    ("gyroscope", [("1383", "13832902")], ["rate_hz": 200, "range_dps": 500, "hex": "2902"]),
    (
      "magnetometer", [("1584", "1584040e"), ("1583", "158300")],
      ["rate_hz": 10, "xy_reps": 9, "z_reps": 15, "hex": "040e00"]
    ),
    (
      "barometer", [("1283", "12832890")],
      ["oversampling": "low-power", "filter": 16, "standby_ms": 500, "hex": "2890"]
    ),
    (
      "ambient-light", [("1482", "14820c28")],
      ["gain": 8, "integration_ms": 250, "period_ms": 50, "hex": "0c28"]
    ),
    (
      "sensor-fusion", [("1982", "19820143")],
      ["mode": "ndof", "range_g": 16, "range_dps": 250, "hex": "0143"]
    ),
    // Settings that no host writes are told as they are.
    ("gyroscope", [("1383", "13830000")], ["hex": "0000"]),
    ("barometer", [("1283", "12830000")], ["hex": "0000"]),
  ]

  @Test(arguments: settings)
  func `settings are read back`(
    module: String, dialogue: [(String, String)], data: JSONObject
  ) async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.perform(read: "sensor-config", ["module": .string(module)])
    for (question, answer) in dialogue {
      try await session.link.expect(bytes(question), answer: bytes(answer))
    }
    guard case .done(.response, let told) = await outcome else {
      Issue.record("not done")
      return
    }
    #expect(told.count == data.count)
    for (key, value) in data.members { #expect(told[key] == value, "\(key)") }
  }

  @Test func `what is not there is unsupported`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionRL)
    let outcome = await session.perform(read: "sensor-config", ["module": "barometer"])
    guard case .failed(let failure) = outcome else {
      Issue.record("not failed")
      return
    }
    #expect(failure.code == .unsupported)
  }

  @Test func `calibration is a state and blocks`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let state = session.perform(read: "fusion-calibration", ["blocks": false])
    try await session.link.expect(bytes("198b"), answer: bytes("198b000102"))
    #expect(
      await state
        == .done(evidence: .response, data: ["acceleration": 0, "gyroscope": 1, "magnetometer": 2]))
    async let blocks = session.perform(read: "fusion-calibration", ["blocks": true])
    try await session.link.expect(bytes("198b"), answer: bytes("198b030303"))
    for (register, data) in [
      ("8c", "f6ff00000a00e8030300"), ("8d", "04000800010000000300"), ("8e", "660017fd8afc7f030300"),
    ] {
      try await session.link.expect(bytes("19" + register), answer: bytes("19" + register + data))
    }
    guard case .done(_, let data) = await blocks else {
      Issue.record("not done")
      return
    }
    #expect(data["magnetometer_block"] == "660017fd8afc7f030300")
    let old = try await DriverSession.interviewed(.metaMotionR)
    guard case .failed(let failure) = await old.perform(read: "fusion-calibration") else {
      Issue.record("not failed")
      return
    }
    #expect(failure.code == .unsupported)
  }

  @Test func `a pin is read by its kind, with what prepares an analog value`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let digital = session.perform(read: "gpio", ["pin": 3, "kind": "digital"])
    try await session.link.expect(bytes("058803"), answer: bytes("05880301"))
    guard case .done(_, let level) = await digital else {
      Issue.record("not done")
      return
    }
    #expect(level["level"] == 1 && level["pin"] == 3)
    async let analog = session.perform(
      read: "gpio",
      ["pin": 2, "kind": "adc", "pull_up_pin": 1, "pull_down_pin": 2, "delay_us": 10, "virtual_pin": 21])
    // The answer bears the virtual pin's number.
    try await session.link.expect(bytes("05870201020215"), answer: bytes("0587157203"))
    guard case .done(_, let counts) = await analog else {
      Issue.record("not done")
      return
    }
    #expect(counts["adc_counts"] == 882)
  }
}
