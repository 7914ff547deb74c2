import BoardKit
import FleetModel
import Testing

@testable import MetaMotion

/// Barometer, light and humidity as streams.
struct EnvironmentSourceTests {
  private static let barometerCases: [(JSONObject, String)] = [
    (["oversampling": "low-power", "filter": 16, "standby_ms": 500], "12032890"),
    (["oversampling": "ultra-high"], "12035400"), ([:], "12032c00"), (["standby_ms": 4000], "12032ce0"),
  ]

  @Test(
    arguments: barometerCases)
  func `bytes by the examples of the protocol reference, section 21`(keys: JSONObject, bytes: String) throws {
    #expect(try TestBoard.metaMotionS.start([("pressure", keys)]) == [bytes, "120101", "12040101"])
  }

  @Test func `pressure and altitude share the barometer`() throws {
    let board = TestBoard.metaMotionS
    #expect(
      try board.start([("altitude", [:]), ("pressure", [:])]) == ["12032c00", "120101", "120201", "12040101"])
    let failure = try board.refusal(of: "altitude", ["filter": 4], beside: [("pressure", [:])])
    #expect(failure?.message.contains("oversampling standard, filter 0, standby 0.5 ms") == true)
  }

  @Test func `T16 temperature is measured twice for the highest oversampling only`() {
    #expect(Barometer.Configuration(oversampling: 5).bytes[0] == 0x54)
    #expect(Barometer.Configuration(oversampling: 4).bytes[0] == 0x30)
  }

  @Test func `the two chips rest differently`() throws {
    let bme280 = TestBoard.metaMotionS.with("12800100")
    #expect(try bme280.start([("pressure", ["standby_ms": 10])]).first == "12032cc0")
    #expect(try bme280.refusal(of: "pressure", ["standby_ms": 2000])?.code == .invalid)
    let failure = try TestBoard.metaMotionS.refusal(of: "pressure", ["standby_ms": 20])
    #expect(failure?.message.contains("2000, 4000") == true)
  }

  @Test func `pressure is notified or polled`() throws {
    let polled = try TestBoard.metaMotionS.select([("pressure", ["every": "10s"])])
    #expect(polled.active.first?.isPolled == true)
    #expect(polled.setup == RunningSensors())
    let notified = try TestBoard.metaMotionS.select([("pressure", ["standby_ms": 62.5])])
    // Nobody can count missing samples by a conversion time.
    #expect(notified.active.first?.isRegular == false)
    #expect(notified.active.first?.period == .milliseconds(74))
  }

  private static let lightCases: [(JSONObject, String)] = [
    (["gain": 8, "integration_ms": 50, "period_ms": 50], "14020c08"), ([:], "14020003"),
    (["gain": 96, "integration_ms": 350, "period_ms": 2000], "14021c3d"),
  ]

  @Test(
    arguments: lightCases)
  func `23 bytes of the light sensor`(keys: JSONObject, bytes: String) throws {
    #expect(try TestBoard.metaMotionS.start([("illuminance", keys)]) == [bytes, "140301", "140101"])
    let written = AmbientLight.Configuration(
      gain: keys["gain"]?.number ?? 1, integration: keys["integration_ms"]?.number ?? 100,
      period: keys["period_ms"]?.number ?? 500)
    #expect(AmbientLight.Configuration(written.bytes) == written)
  }

  @Test func `light is gathered within the period`() throws {
    let keys: JSONObject = ["integration_ms": 200, "period_ms": 100]
    #expect(try TestBoard.metaMotionS.refusal(of: "illuminance", keys)?.code == .invalid)
    #expect(AmbientLight.Configuration([0x10, 0]) == nil)
    #expect(AmbientLight.Configuration([0x00, 7]) == nil)
  }

  @Test func `humidity is there where the module is (protocol reference, section 25)`() throws {
    #expect(try TestBoard.metaMotionS.refusal(of: "humidity")?.code == .unsupported)
    let board = TestBoard.metaMotionS.with("16800000")
    #expect(try board.select([("humidity", [:])]).active.first?.isPolled == true)
    #expect(Humidity.humidity.values(in: bytes("1681c7fc0000")) == [63.1943359375])
    #expect(Humidity.configure(oversampling: 16) == bytes("160205"))
  }
}
