import FleetModel
import Testing

/// The verbs of gateways that keep one going (MQTT contract 4.1).
@Suite struct MaintenanceVerbsTests {
  private static func board(_ digits: UInt64) -> BoardID { BoardID(BluetoothAddress(rawValue: digits)) }
  private static let adapter = AdapterID(BluetoothAddress(rawValue: 0x001A_7DDA_7113))

  private static let cases: [(String, JSONObject, Intent)] = [
    ("admission", ["mode": "listed"], .gateway(.admission(.listed, duration: nil, profile: nil))),
    (
      "admission", ["mode": "open", "profile": "vibration"],
      .gateway(.admission(.open, duration: nil, profile: "vibration"))
    ),
    ("admission", ["mode": "window"], .gateway(.admission(.window, duration: .seconds(120), profile: nil))),
    (
      "admission", ["mode": "window", "for_s": 3600],
      .gateway(.admission(.window, duration: .seconds(3600), profile: nil))
    ),
    ("drain", [:], .gateway(.drain(resume: false))),
    ("drain", ["resume": true], .gateway(.drain(resume: true))),
    ("adapter-reset", ["adapter": "001a7dda7113"], .gateway(.resetAdapter(adapter, force: false))),
    (
      "adapter-reset", ["adapter": "00:1A:7D:DA:71:13", "force": true],
      .gateway(.resetAdapter(adapter, force: true))
    ),
    ("diagnostics", [:], .gateway(.diagnostics)),
    ("replay", ["from_ms": 5], .gateway(.replay(ReplayRequest(from: Timestamp(milliseconds: 5))))),
    (
      "replay",
      ["from_ms": 5, "to_ms": 5, "boards": ["000000000001"], "lanes": ["record", "log"], "per_s": 5000],
      .gateway(
        .replay(
          ReplayRequest(
            from: Timestamp(milliseconds: 5), to: Timestamp(milliseconds: 5), boards: [board(1)],
            lanes: [.record, .log], rate: 5000)))
    ),
    ("cancel", ["id": "nightly-7.e5a1c2d3f4b6"], .cancel("nightly-7.e5a1c2d3f4b6")),
    (
      "cancel", ["id": .string(String(repeating: "x", count: 97))],
      .cancel(String(repeating: "x", count: 97))
    ),
  ]

  @Test(arguments: cases)
  func `means`(verb: String, arguments: JSONObject, wanted: Intent) throws {
    #expect(try intent(verb, arguments, .gateway) == wanted)
  }

  private static let maintenances: [(JSONObject, MaintenanceRequest?)] = [
    (["for": "2h"], .start(for: .seconds(7_200), reason: nil)),
    (
      ["for": "1h30m", "reason": "new bearing", "end": false],
      .start(for: .seconds(5_400), reason: "new bearing")
    ),
    (["end": true], .end), ([:], nil), (["end": false], nil), (["for": "2h", "end": true], nil),
    (["end": true, "reason": "done"], nil), (["reason": "none"], nil), (["for": 7_200], nil),
    (["for": "2"], nil),
    (["for": "0s"], nil), (["for": "31d"], nil), (["for": "2h", "reason": ""], nil),
    (["for": "2h", "reason": "\u{1B}[2J"], nil),
    (["for": "2h", "reason": .string(String(repeating: "x", count: 129))], nil),
  ]

  @Test(arguments: maintenances)
  func `F223 maintenance has a time at which it ends, or is over`(
    arguments: JSONObject, wanted: MaintenanceRequest?
  ) throws {
    if let wanted {
      #expect(try intent("maintenance", arguments, .board) == .board(.maintenance(wanted)))
    } else {
      #expect(try refusal("maintenance", arguments, .board)?.code == .invalid)
    }
  }

  private static let refused: [(String, JSONObject)] = [
    ("admission", [:]), ("admission", ["mode": "closed"]), ("admission", ["mode": "open", "for_s": 60]),
    ("admission", ["mode": "window", "for_s": 0]), ("admission", ["mode": "window", "for_s": 3601]),
    ("admission", ["mode": "window", "for_s": 1.5]), ("admission", ["mode": "open", "profile": "A b"]),
    ("drain", ["resume": "yes"]), ("drain", ["force": true]), ("adapter-reset", [:]),
    ("adapter-reset", ["adapter": "hci0"]), ("adapter-reset", ["adapter": "001a7dda7113", "force": 1]),
    ("diagnostics", ["file": "/etc/passwd"]), ("replay", [:]), ("replay", ["from_ms": "now"]),
    ("replay", ["from_ms": -1]), ("replay", ["from_ms": 5, "to_ms": 4]),
    ("replay", ["from_ms": 5, "boards": ["pump"]]), ("replay", ["from_ms": 5, "lanes": ["live"]]),
    ("replay", ["from_ms": 5, "per_s": 0]), ("replay", ["from_ms": 5, "per_s": 5001]), ("cancel", [:]),
    ("cancel", ["id": ""]), ("cancel", ["id": "a/b"]), ("cancel", ["id": 7]),
    ("cancel", ["id": .string(String(repeating: "x", count: 98))]),
  ]

  @Test(arguments: refused)
  func `refuses`(verb: String, arguments: JSONObject) throws {
    #expect(try refusal(verb, arguments, .gateway)?.code == .invalid)
  }
}
