import BoardKit
import FleetModel
import Testing

@testable import MetaMotion

/// Pins as streams (protocol reference, section 11).
struct PinSourceTests {
  @Test func `pins offer what they can`() throws {
    let names = PinSource.streams(on: try TestBoard.metaMotionR.inventory())
    #expect(names.contains("gpio-3-adc") && names.contains("gpio-4-change"))
    // The last pin of this board is digital only, and there is none behind it.
    #expect(!names.contains("gpio-4-adc"))
    #expect(!names.contains("gpio-5-digital"))
    #expect(try TestBoard.metaMotionR.refusal(of: "gpio-4-voltage")?.code == .unsupported)
  }

  @Test func `changes are watched pin by pin with one subscription`() throws {
    let writes = try TestBoard.metaMotionS.start([
      ("gpio-0-change", ["edge": "rising"]), ("gpio-3-change", ["pull": "up"]),
    ])
    #expect(
      writes == ["050500", "05090001", "050303", "05090303", "050a01", "050b0001", "050b0301"])
    let one = try TestBoard.metaMotionS.select([("gpio-3-change", [:])]).setup
    let both = try TestBoard.metaMotionS.select([("gpio-3-change", [:]), ("gpio-4-change", [:])]).setup
    let stop = StreamPlan(from: both, to: one, leftOver: []).stop
    #expect(stop == [.write(bytes("050b0400"))])
  }

  @Test func `other pins and a delay need revision 2 (protocol reference, section 3.4)`() throws {
    let keys: JSONObject = ["delay_us": 10, "every": "1s"]
    #expect(try TestBoard.metaMotionR.refusal(of: "gpio-1-adc", keys)?.code == .unsupported)
    #expect(try TestBoard.metaMotionR.refusal(of: "gpio-1-adc") == nil)
    #expect(try TestBoard.metaMotionS.refusal(of: "gpio-1-adc", keys) == nil)
    let pin = Pin(number: 2)
    let all: JSONObject = ["pull_up_pin": 1, "pull_down_pin": 2, "delay_us": 10, "virtual_pin": 21]
    #expect(pin.analogArguments(.init(all), revision: 2) == bytes("0201020215"))
    #expect(pin.analogArguments(.init([:]), revision: 2) == bytes("02ffff00ff"))
    #expect(pin.analogArguments(.init([:]), revision: 1) == [2])
  }

  @Test(arguments: ["off", "rising", "falling", "any"])
  func `edges have the contracts words`(word: String) {
    #expect(Pin.Edge(named: word) != nil)
    #expect(Pin.Edge(named: word + "s") == nil)
  }

  @Test func `pulls have the contracts words`() {
    #expect(["up", "down", "none", "left"].map { Pin.Pull(named: $0) } == [.up, .down, Pin.Pull.none, nil])
  }
}
