import BoardKit
import FleetModel
import Testing

@testable import MetaMotion

/// Features of the BMI270: bytes of protocol reference 9.
struct BMI270SourceTests {
  private let board = TestBoard.metaMotionS

  private static let featureCases: [(String, JSONObject, [String])] = [
    ("any-motion", [:], ["03080105e0aa38", "03074000", "03064000"]),
    ("no-motion", ["duration_ms": 5820, "threshold_g": 0.5], ["03080223e10004", "03072000", "03062000"]),
    ("no-motion", ["axes": "xz"], ["03080205a08f00", "03072000", "03062000"]),
    ("significant-motion", [:], ["030803fa00", "03070100", "03060100"]),
    ("steps", ["watermark_steps": 40], ["030807000e0200", "03070200", "03060200"]),
    ("step", [:], ["03078000", "03068000"]), ("activity", [:], ["03070400", "03060400"]),
    (
      "wrist-gesture", ["arm": "right", "peak": 1774],
      ["0308081000ee060400c800", "03071000", "03061000"]
    ),
    ("wrist-wakeup", [:], ["030809a805ee060004bc02b3008507", "03070800", "03060800"]),
    (
      "wrist-wakeup", ["angles": [1, 2, 3, 4, 5, 6]],
      ["030809010002000300040005000600", "03070800", "03060800"]
    ),
  ]

  @Test(
    arguments: featureCases)
  func `9.3, 9.4 settings, then the interrupt, then the feature`(
    stream: String, keys: JSONObject, writes: [String]
  ) throws {
    let written = try board.start([(stream, keys)])
    #expect(written.filter { writes.contains($0) } == writes)
    #expect(written.first == "0303a801")
    #expect(written.contains("030101") && !written.contains("03020100"))
  }

  @Test func `features that tell in one register are subscribed once, and proved by their bits`() throws {
    let selection = try board.select([("any-motion", [:]), ("no-motion", [:]), ("step", [:]), ("steps", [:])])
    let writes = try board.start([("any-motion", [:]), ("no-motion", [:]), ("step", [:]), ("steps", [:])])
    #expect(writes.count { $0 == "030901" } == 1)
    #expect(writes.count { $0 == "030b01" } == 1)
    let proof = selection.setup.runs[.detector(register: 6, bits: 0x40)]?.proof
    #expect(proof?.isRunning(bytes("038642")) == true)
    #expect(proof?.isRunning(bytes("038602")) == false)
    #expect(proof?.isRunning(bytes("0386")) == nil)
  }

  @Test func `values become what the chip uses`() throws {
    #expect(try board.effective("any-motion", [:])?["threshold_g"] == 0.083008)
    #expect(try board.effective("any-motion", ["duration_ms": 110])?["duration_ms"] == 100)
    #expect(try board.effective("steps", ["watermark_steps": 45])?["watermark_steps"] == 40)
    #expect(try board.effective("wrist-gesture", [:])?["samples"] == 4)
  }

  private static let invalidCases: [(String, JSONObject)] = [
    ("any-motion", ["count": 2]), ("any-motion", ["threshold_g": 1]),
    ("step", ["sensitivity": "normal"]), ("significant-motion", ["skip_ms": 1500]),
    ("any-motion", ["duration_ms": 200_000]),
  ]

  @Test(
    arguments: invalidCases)
  func `what the chip cannot is invalid`(stream: String, keys: JSONObject) throws {
    #expect(try board.refusal(of: stream, keys)?.code == .invalid)
  }

  @Test func `steps are told or polled`() throws {
    let told = try board.select([("steps", [:])])
    #expect(told.active.first?.isPolled == false)
    #expect(told.setup.registers == [BMI270Features.steps])
    let polled = try board.select([("steps", ["every": "10s"])])
    #expect(polled.active.first?.isPolled == true)
    #expect(polled.setup.registers == [])
    #expect(polled.setup.runs[.detector(register: 6, bits: 2)] != nil)
  }

  @Test func `detectors of the other chip are unsupported`() throws {
    for stream in ["tap", "orientation", "flat", "low-g", "high-g", "slow-motion"] {
      #expect(try board.refusal(of: stream)?.code == .unsupported)
    }
  }
}
