import BoardKit
import FleetModel
import Testing

@testable import MetaMotion

/// Sensor fusion as streams: what it writes per chip, and what cannot run beside it.
struct FusionSourceTests {
  @Test(
    arguments: [
      ("ndof", "19020113", "0303a803", "0303280c"), ("imuplus", "19020213", "0303a803", "0303280c"),
      ("compass", "19020313", "0303a603", "0303260c"), ("m4g", "19020413", "0303a703", "0303270c"),
    ])
  func `26.2 the chips below are configured as each mode needs, and as each board's are`(
    name: String, mode: String, bmi270: String, bmi160: String
  ) throws {
    let keys: JSONObject = ["mode": .string(name)]
    #expect(try TestBoard.metaMotionS.start([("quaternion", keys)]).prefix(2) == [mode, bmi270])
    #expect(try TestBoard.metaMotionRL.start([("quaternion", keys)]).prefix(2) == [mode, bmi160])
  }

  @Test func `the rate follows the mode`() throws {
    for (mode, period) in [("ndof", 10), ("imuplus", 10), ("compass", 40), ("m4g", 20)] {
      let active = try TestBoard.metaMotionS.select([("euler", ["mode": .string(mode)])]).active
      #expect(active.first?.period == .milliseconds(period))
    }
  }

  @Test(
    arguments: [
      ("ndof", "acceleration", true), ("ndof", "angular-velocity", true), ("ndof", "magnetic-field-x", true),
      ("imuplus", "magnetic-field", false), ("compass", "angular-velocity", false),
      ("m4g", "acceleration-y", true), ("ndof", "pressure", false), ("ndof", "any-motion", false),
    ])
  func `fusion owns the chips it needs, whoever comes first`(mode: String, stream: String, isConflict: Bool)
    throws
  {
    let board = TestBoard.metaMotionS
    let fusion: (String, JSONObject) = ("quaternion", ["mode": .string(mode)])
    let late = try board.refusal(of: stream, [:], beside: [fusion])
    #expect((late?.code == .invalid) == isConflict)
    if isConflict { #expect(late?.message.contains("sensor fusion owns the") == true) }
    // What a chip notices is judged after all streams of samples.
    let early = try board.refusal(of: fusion.0, fusion.1, beside: [(stream, [:])])
    #expect((early?.code == .invalid) == isConflict)
  }

  @Test func `all fusion streams share mode and ranges`() throws {
    let board = TestBoard.metaMotionS
    let failure = try board.refusal(of: "gravity", ["range_g": 4], beside: [("quaternion", [:])])
    #expect(failure?.code == .invalid)
    #expect(failure?.message.contains("mode ndof, 16 g, 2000 °/s") == true)
  }

  @Test(
    arguments: [
      ("corrected-angular-velocity", "compass"), ("corrected-angular-velocity", "m4g"),
      ("corrected-magnetic-field", "imuplus"),
    ])
  func `a corrected vector needs its sensor`(stream: String, mode: String) throws {
    #expect(
      try TestBoard.metaMotionS.refusal(of: stream, ["mode": .string(mode)])?.code == .invalid)
  }

  @Test func `T55 outputs that boards keep silent about are accepted, and known to be silent`() throws {
    func mayBeSilent(_ stream: String, _ mode: String) throws -> Bool? {
      try TestBoard.metaMotionS.select([(stream, ["mode": .string(mode)])]).active.first?.mayBeSilent
    }
    #expect(try mayBeSilent("gravity", "imuplus") == true)
    #expect(try mayBeSilent("linear-acceleration", "m4g") == true)
    #expect(try mayBeSilent("gravity", "ndof") == false)
  }

  @Test func `modes without their sensors are not offered`() throws {
    let board = TestBoard.metaMotionS.with("1580")
    let offers = StreamSources(on: try board.inventory()).offers(
      for: try #require(StreamCatalogue.find("quaternion")).stream)
    #expect(offers?["mode"] == ["imuplus"])
    #expect(try board.refusal(of: "quaternion", ["mode": "ndof"])?.code == .unsupported)
    #expect(try board.refusal(of: "corrected-magnetic-field", ["mode": "imuplus"])?.code == .unsupported)
  }

  @Test func `what chips notice goes by fusion's rate and range, and is begun anew with it`() throws {
    let setup = try TestBoard.metaMotionRL.select([("any-motion", [:]), ("quaternion", ["range_g": 2])]).setup
    let detector = setup.ordered.first { $0.unit == .detector(register: 9, bits: 0) }
    #expect(detector?.base == .fusion)
    #expect(detector?.configure == [.write(bytes("030a00191414"))])
    #expect(setup.runs[.accelerometer] == nil)
  }

  @Test func `the configuration is read back`() throws {
    for mode in SensorFusion.Mode.allCases {
      for range in AccelerationRange.allCases {
        let written = SensorFusion.Configuration(mode: mode, acceleration: range, rotation: .dps500)
        #expect(SensorFusion.Configuration(payload: Array(written.command.dropFirst(2))) == written)
      }
    }
    #expect(SensorFusion.Configuration(payload: bytes("0103")) == nil)
    #expect(SensorFusion.Configuration(payload: bytes("0913")) == nil)
  }
}
