import FleetModel
import Testing

/// MQTT contract 3.10.
@Suite struct FirmwareVerbsTests {
  private static let cases: [(String, JSONObject, Intent)] = [
    ("bootloader", ["confirm": "a"], .board(.firmware(.bootloader))),
    ("firmware-check", [:], .board(.firmware(.check(refresh: false)))),
    ("firmware-check", ["refresh": true], .board(.firmware(.check(refresh: true)))),
    ("firmware-update", ["confirm": "a"], .board(.firmware(.update(FirmwareOrder())))),
    (
      "firmware-update", ["confirm": "a", "version": "latest"],
      .board(.firmware(.update(FirmwareOrder())))
    ),
    (
      "firmware-update", ["confirm": "a", "version": "1.7.3", "force": true, "file": "mms-1.7.3.zip"],
      .board(.firmware(.update(FirmwareOrder(version: "1.7.3", isForced: true, file: "mms-1.7.3.zip"))))
    ),
    (
      "firmware-update", ["confirm": "a", "allow_bootloader": true, "discard": 812],
      .board(.firmware(.update(FirmwareOrder(allowsBootloader: true, discard: 812))))
    ),
    ("firmware-abort", [:], .board(.firmware(.abort))), ("explain", [:], .board(.explain)),
  ]

  @Test(arguments: cases)
  func `means`(verb: String, arguments: JSONObject, wanted: Intent) throws {
    #expect(try intent(verb, arguments) == wanted)
  }

  private static let refused: [(String, JSONObject)] = [
    ("bootloader", [:]), ("firmware-check", ["refresh": 1]), ("firmware-update", [:]),
    ("firmware-update", ["confirm": "a", "version": "newest"]),
    ("firmware-update", ["confirm": "a", "version": "1"]),
    ("firmware-update", ["confirm": "a", "version": "1..3"]),
    ("firmware-update", ["confirm": "a", "version": "1.7.٣"]),
    ("firmware-update", ["confirm": "a", "force": "yes"]),
    ("firmware-update", ["confirm": "a", "discard": -1]),
    ("firmware-update", ["confirm": "a", "file": "../secret.zip"]),
    ("firmware-update", ["confirm": "a", "file": "/etc/passwd"]),
    ("firmware-update", ["confirm": "a", "file": ".hidden"]),
    ("firmware-update", ["confirm": "a", "file": ".."]),
    ("firmware-update", ["confirm": "a", "file": "a\u{0}b"]),
    ("firmware-abort", ["confirm": "a"]), ("explain", ["board": "a"]),
  ]

  @Test(arguments: refused)
  func `refuses`(verb: String, arguments: JSONObject) throws {
    #expect(try refusal(verb, arguments)?.code == .invalid)
  }
}
