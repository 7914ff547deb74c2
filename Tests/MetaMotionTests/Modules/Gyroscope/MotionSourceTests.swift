import BoardKit
import FleetModel
import Testing

@testable import MetaMotion

/// The raw streams of accelerometer, gyroscope and magnetometer.
struct MotionSourceTests {
  @Test func `T22 the gyroscopes deliver in different registers`() throws {
    let keys: JSONObject = ["rate_hz": 200, "range_dps": 500]
    #expect(
      try TestBoard.metaMotionS.start([("angular-velocity", keys)])
        == ["13032902", "130501", "13020100", "130101"])
    #expect(
      try TestBoard.metaMotionRL.start([("angular-velocity", keys)])
        == ["13032902", "130701", "13020100", "130101"])
    let plain = keys.with("packed", "off")
    #expect(try TestBoard.metaMotionS.start([("angular-velocity", plain)])[1] == "130401")
    #expect(try TestBoard.metaMotionRL.start([("angular-velocity", plain)])[1] == "130501")
    let old = TestBoard.metaMotionR.with("13800000")
    #expect(try old.start([("angular-velocity", keys)])[1] == "130501")
    #expect(try old.refusal(of: "angular-velocity", ["packed": "on"])?.code == .unsupported)
  }

  @Test(
    arguments: [
      ("low-power", "15040102", "150300"), ("regular", "1504040e", "150300"),
      ("enhanced-regular", "1504071a", "150300"), ("high-accuracy", "15041752", "150305"),
    ])
  func `24 presets of the magnetometer`(name: String, repetitions: String, rate: String) throws {
    let writes = try TestBoard.metaMotionS.start([("magnetic-field", ["preset": .string(name)])])
    #expect(writes.prefix(3) == ["150100", repetitions, rate])
  }

  @Test func `the magnetometers parts replace the preset`() throws {
    let board = TestBoard.metaMotionS
    let keys: JSONObject = ["rate_hz": 30, "xy_reps": 511, "z_reps": 256]
    #expect(try board.start([("magnetic-field", keys)])[1...2] == ["1504ffff", "150307"])
    #expect(try board.effective("magnetic-field", ["rate_hz": 30])?["xy_reps"] == 9)
    #expect(try board.effective("magnetic-field", [:])?["preset"] == "regular")
    #expect(try board.refusal(of: "magnetic-field", ["xy_reps": 8])?.message.contains("odd") == true)
    let both: JSONObject = ["preset": "regular", "rate_hz": 10]
    #expect(try board.refusal(of: "magnetic-field", both)?.code == .invalid)
  }

  @Test
  func `an old magnetometer is not put to sleep first, and cannot pack (protocol reference, section 3.4)`()
    throws
  {
    let board = TestBoard.metaMotionR.with("15800000")
    #expect(
      try board.start([("magnetic-field", [:])]) == ["1504040e", "150300", "150501", "15020100", "150101"])
  }

  @Test func `the fields alarm runs the magnetometer`() throws {
    let board = TestBoard.metaMotionS
    #expect(
      try board.start([("magnetic-alarm", ["low_ut": 12, "high_ut": 762, "axes": "xz"])])
        == [
          "150100", "1504040e", "150300", "1507027f", "150801", "15020100", "150101", "15062d12",
        ])
    #expect(try board.effective("magnetic-alarm", ["low_ut": 13])?["low_ut"] == 12)
    #expect(try board.refusal(of: "magnetic-alarm")?.code == .invalid)
  }

  private static let sharedCases: [(String, JSONObject, String)] = [
    ("acceleration", ["rate_hz": 100], "50 Hz, 4 g"),
    ("angular-velocity", ["range_dps": 250], "2000 °/s"),
    ("magnetic-field", ["preset": "high-accuracy"], "10 Hz, 9 and 15 repetitions"),
  ]

  @Test(
    arguments: sharedCases)
  func `streams of one sensor share its settings`(stream: String, keys: JSONObject, words: String) throws {
    let board = TestBoard.metaMotionS
    let failure = try #require(try board.refusal(of: stream, keys, beside: [("\(stream)-x", [:])]))
    #expect(failure.code == .invalid)
    #expect(failure.message.contains(words))
    #expect(try board.refusal(of: stream, [:], beside: [("\(stream)-x", [:])]) == nil)
  }

  @Test func `chips that nobody knows offer nothing`() throws {
    let board = TestBoard.metaMotionS.with("13800700 1580")
    #expect(try board.refusal(of: "angular-velocity")?.code == .unsupported)
    #expect(try board.refusal(of: "magnetic-field")?.code == .unsupported)
  }
}

extension JSONObject {
  /// This object with one member more.
  func with(_ key: String, _ value: JSONValue) -> JSONObject {
    var copy = self
    copy[key] = value
    return copy
  }
}
