import BoardKit
import FleetModel
import Testing

@testable import MetaMotion

/// Flags as events, by the tables of sections 8, 9.5 and 24 of the protocol reference and of MQTT contract 2.4.
struct DetectorRegisterTests {
  private static let motion: Detectors = [.anyMotion, .noMotion, .significantMotion]
  private static let falls: Detectors = [.lowG, .highG]
  private static let wrist: Detectors = [.wristGesture, .wristWakeup]

  struct Row: Sendable {
    var register: DetectorRegister
    var flags: UInt8
    var type: String
    var fields: JSONObject
  }

  private static func row(
    _ register: DetectorRegister, _ flags: UInt8, _ type: String, _ detector: String,
    _ fields: JSONObject = [:]
  ) -> Row {
    Row(register: register, flags: flags, type: type, fields: fields.with("detector", .string(detector)))
  }

  private static let rows: [Row] = [
    row(.motion160(motion), 0x22, "any", "any-motion", ["axis": "z", "sign": 1]),
    row(.motion160(motion), 0x62, "any", "any-motion", ["axis": "z", "sign": -1]),
    row(.motion160(motion), 0x52, "any", "any-motion", ["axis": "y", "sign": -1]),
    row(.motion160(motion), 0x0A, "any", "any-motion", ["axis": "x", "sign": 1]),
    row(.motion160(motion), 0x04, "none", "no-motion"),
    row(.motion160(.slowMotion), 0x04, "slow", "slow-motion"),
    row(.motion160(motion), 0x01, "significant", "significant-motion"),
    row(.lowHighG(falls), 0x29, "high-g", "high-g", ["axis": "y", "sign": -1]),
    row(.lowHighG(falls), 0x02, "low-g", "low-g"),
    row(.tap, 0x12, "single", "tap", ["axis": "z", "sign": 1]),
    row(.tap, 0x31, "double", "tap", ["axis": "z", "sign": -1]),
    row(.orientation, 0x01, "face-up-portrait", "orientation", ["index": 0]),
    row(.orientation, 0x07, "face-up-landscape-right", "orientation", ["index": 3]),
    row(.orientation, 0x0B, "face-down-portrait-inverted", "orientation", ["index": 5]),
    row(.flat(detectsFace: false), 0x03, "flat", "flat"),
    row(.flat(detectsFace: false), 0x01, "tilted", "flat"),
    row(.flat(detectsFace: true), 0x07, "flat", "flat", ["face": "down"]),
    row(.flat(detectsFace: true), 0x01, "tilted", "flat", ["face": "up"]),
    row(.step160, 0x01, "step", "step"), row(.step270, 0x01, "step", "step"),
    row(.motion270(motion), 0x04, "any", "any-motion"),
    row(.motion270(motion), 0x02, "none", "no-motion"),
    row(.motion270(motion), 0x01, "significant", "significant-motion"),
    row(.activity, 0x00, "still", "activity"), row(.activity, 0x04, "running", "activity"),
    row(.activity, 0x06, "unknown", "activity"),
    row(.magneticAlarm, 0x02, "low", "magnetic-alarm", ["axis": "y"]),
    row(.magneticAlarm, 0x20, "high", "magnetic-alarm", ["axis": "z"]),
    // Trap T20: the specification's form and that of the Swift tests.
    row(.wrist(wrist), 0x16, "flick-out", "wrist-gesture", ["code": 5]),
    row(.wrist(wrist), 0x15, "flick-out", "wrist-gesture", ["code": 5]),
    row(.wrist(wrist), 0x02, "unknown", "wrist-gesture", ["code": 0]),
    row(.wrist(wrist), 0x01, "wake-up", "wrist-wakeup"),
  ]

  @Test(arguments: rows)
  func `one flag one event`(row: Row) throws {
    let events = row.register.events(row.flags, length: 3)
    #expect(events.count == 1)
    guard case .happened(let kind, let type, let fields) = events.first else {
      Issue.record("no event")
      return
    }
    #expect(type == row.type)
    #expect(Set(fields.members.map(\.key)) == Set(row.fields.members.map(\.key)))
    for (key, value) in row.fields.members { #expect(fields[key] == value) }
    // Whatever is told stands in the catalogue.
    #expect(kind.types.contains(type))
    #expect(fields.members.allSatisfy { kind.fields.contains($0.key) })
  }

  @Test func `what is not wanted is not told`() {
    #expect(DetectorRegister.motion160(.anyMotion).events(0x05, length: 3).isEmpty)
    #expect(DetectorRegister.motion270(.noMotion).events(0x05, length: 3).isEmpty)
    #expect(DetectorRegister.wrist(.wristWakeup).events(0x16, length: 3).isEmpty)
    #expect(DetectorRegister.lowHighG(.lowG).events(0x29, length: 3).isEmpty)
    #expect(DetectorRegister.step270.events(0x01, length: 4).isEmpty)
  }

  @Test func `several flags are several events`() {
    #expect(DetectorRegister.motion270(Self.motion).events(0x07, length: 3).count == 3)
    #expect(DetectorRegister.wrist(Self.wrist).events(0x17, length: 3).count == 2)
    #expect(DetectorRegister.magneticAlarm.events(0x3F, length: 3).count == 6)
  }
}
