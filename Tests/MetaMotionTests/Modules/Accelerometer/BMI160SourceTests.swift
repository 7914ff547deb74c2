import BoardKit
import FleetModel
import Testing

@testable import MetaMotion

/// Detectors of the BMI160: bytes of protocol reference 8, and what the chip cannot do at once.
struct BMI160SourceTests {
  private let board = TestBoard.metaMotionRL

  /// All that is written, with the accelerometer at a full scale.
  private func settings(_ stream: String, _ keys: JSONObject, range: Int64 = 4) throws -> [String] {
    try board.start([
      ("acceleration", ["range_g": .integer(range), "rate_hz": 100, "packed": "off"]), (stream, keys),
    ])
  }

  private static let exampleCases: [(String, JSONObject, Int, String)] = [
    ("any-motion", ["threshold_g": 0.75, "count": 2], 8, "030a012f1414"),
    ("no-motion", ["threshold_g": 0.5, "duration_ms": 10_000], 2, "030a18147f15"),
    ("slow-motion", ["threshold_g": 1.5, "count": 5], 4, "030a1014c014"),
    ("low-g", ["threshold_g": 0.5, "duration_ms": 20, "mode": "sum"], 16, "03070740850bc0"),
    (
      "high-g", ["threshold_g": 2, "duration_ms": 15, "hysteresis_g": 2, "axes": "z"], 16, "03070730810520"
    ),
    ("tap", ["threshold_g": 2, "kinds": "single", "window_ms": 250], 16, "030d0404"),
    // Trap T01: which bit is which shows when one of them is set.
    ("tap", ["threshold_g": 1, "shock_ms": 75, "window_ms": 50], 8, "030d4004"),
    ("tap", ["threshold_g": 1, "quiet_ms": 20, "window_ms": 50], 8, "030d8004"),
    (
      "tap", ["threshold_g": 1, "shock_ms": 75, "quiet_ms": 20, "window_ms": 50, "kinds": "double"], 8,
      "030dc004"
    ),
    ("orientation", [:], 4, "03101848"), ("flat", [:], 4, "03130811"),
    ("significant-motion", ["threshold_g": 0.16], 4, "030a00141416"),
    ("step", ["sensitivity": "robust"], 4, "03181d07"), ("steps", [:], 4, "0318150b"),
    ("no-motion", ["threshold_g": 0.1, "duration_ms": 25_600], 4, "030a40140c15"),
    ("no-motion", ["threshold_g": 0.1, "duration_ms": 430_080], 4, "030afc140c15"),
  ]

  @Test(
    arguments: exampleCases)
  func `settings by the examples of the protocol reference, sections 8.3 to 8.8`(
    stream: String, keys: JSONObject, range: Int, bytes: String
  ) throws {
    #expect(try settings(stream, keys, range: Int64(range)).contains(bytes))
  }

  @Test func `a detector alone runs the accelerometer at 100 Hz and 4 g, without its samples`() throws {
    #expect(
      try board.start([("tap", [:])]) == ["03032805", "030d0408", "030e01", "030101", "030c0300"])
  }

  @Test func `detectors that share registers are configured and switched together`() throws {
    let writes = try board.start([("any-motion", [:]), ("no-motion", [:])])
    #expect(writes.contains("030a1c0c0c15"))
    #expect(writes.last == "03093f00")
    #expect(writes.count { $0 == "030b01" } == 1)
    let falls = try board.start([("low-g", [:]), ("high-g", ["axes": "xy"])])
    #expect(falls.last == "03060b00")
    let steps = try board.start([
      ("steps", ["sensitivity": "sensitive"]), ("step", ["sensitivity": "sensitive"]),
    ])
    #expect(steps.contains("03182d08"))
    #expect(steps.contains("03170100"))
  }

  @Test(
    arguments: [
      ("any-motion", "significant-motion"), ("significant-motion", "any-motion"),
      ("slow-motion", "no-motion"), ("no-motion", "slow-motion"),
    ])
  func `what the chip has one place for excludes each other`(first: String, second: String) throws {
    let failure = try board.refusal(of: second, beside: [(first, [:])])
    #expect(failure?.code == .invalid)
    #expect(failure?.message.contains("cannot run together") == true)
    let sensitivity = try board.refusal(
      of: "step", ["sensitivity": "robust"], beside: [("steps", [:])])
    #expect(sensitivity?.code == .invalid)
  }

  @Test func `values become what the chip uses`() throws {
    #expect(try board.effective("any-motion", [:])?["threshold_g"] == 0.09372)
    #expect(try board.effective("no-motion", ["duration_ms": 22_000])?["duration_ms"] == 20_480)
    #expect(try board.effective("low-g", ["duration_ms": 21])?["duration_ms"] == 20)
    #expect(try board.effective("flat", [:])?["theta_deg"] == 5.688889)
    #expect(try board.effective("steps", [:])?["every"] == "1m")
  }

  private static let invalidCases: [(String, JSONObject)] = [
    ("any-motion", ["duration_ms": 100]), ("any-motion", ["threshold_g": 16]),
    ("any-motion", ["threshold_g": 0.001]), ("steps", ["watermark_steps": 20]),
    ("significant-motion", ["block_ms": 5000]), ("high-g", ["hysteresis_g": 4]),
  ]

  @Test(
    arguments: invalidCases)
  func `what the chip cannot is invalid`(stream: String, keys: JSONObject) throws {
    #expect(try board.refusal(of: stream, keys)?.code == .invalid)
  }

  @Test func `steps are polled and counted by the board`() throws {
    let selection = try board.select([("steps", ["every": "10s"])])
    #expect(selection.active.first?.isPolled == true)
    #expect(selection.active.first?.period == .seconds(10))
    #expect(selection.setup.runs[.detector(register: 0x17, bits: 0)]?.start == [])
    #expect(selection.setup.runs[.accelerometer]?.registers == [])
  }

  @Test func `features of the other chip are unsupported`() throws {
    for stream in ["activity", "wrist-gesture", "wrist-wakeup"] {
      #expect(try board.refusal(of: stream)?.code == .unsupported)
    }
  }
}
