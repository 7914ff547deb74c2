import FleetModel
import Testing

/// MQTT contract 3.9.
@Suite struct SettingsVerbTests {
  @Test func `all keys are understood`() throws {
    let keys: JSONObject = [
      "name": "Pump 3", "tx_dbm": -30, "advertising": ["interval_ms": 417],
      "connection": ["min_ms": 7.5, "max_ms": 30, "latency": 4, "supervision_ms": 301],
      "scan_response": "01AB", "regulator_3v": true, "force_1m_phy": false,
      "whitelist": ["mode": "both", "addresses": ["010203040506"]], "start_advertising": true,
    ]
    var wanted = BoardSettings()
    wanted.name = "Pump 3"
    wanted.transmissionPower = -30
    wanted.advertising = .init(interval: 417, timeout: 0, isDirected: false)
    wanted.connection = .init(interval: 7.5...30, latency: 4, supervision: 301)
    wanted.scanResponse = [0x01, 0xAB]
    wanted.regulator = true
    wanted.forcesOneMegabit = false
    wanted.whitelist = .init(mode: .both, addresses: [BluetoothAddress(rawValue: 0x0102_0304_0506)])
    wanted.startsAdvertising = true
    var declared = SettingsDeclaration()
    for (key, value) in keys.members { try declared.declare(key, value) }
    #expect(declared.keys.count == keys.count)
    #expect(
      try intent("settings", keys.merging(["confirm": "e5a1c2d3f4b6"]))
        == .device(.settings(SettingsCommand(wanted, declared: declared))))
    guard
      case .board(.link(.device(.settings(let kept)))) = try intent(
        "settings", ["tx_dbm": 4, "persist": true])
    else {
      Issue.record("no settings")
      return
    }
    #expect(kept.isPersistent && kept.declared.keys == ["tx_dbm": 4])
  }

  private static let refused: [(arguments: JSONObject, word: String)] = [
    ([:], "at least one"), (["name": "Pümpe"], "name"), (["name": "12345678901234567890"], "USB only"),
    (["name": "123456789012345678901234567"], "name"),
    (["tx_dbm": -40], "tx_dbm"), (["advertising": ["interval_ms": 19]], "interval_ms"),
    (["advertising": [:]], "interval_ms"), (["start_advertising": false], "at least one"),
    (["connection": ["min_ms": 50, "max_ms": 30, "supervision_ms": 6_000]], "min_ms"),
    (["connection": ["min_ms": 30, "max_ms": 30, "latency": 4, "supervision_ms": 300]], "supervision_ms"),
    (["scan_response": .string(String(repeating: "00", count: 32))], "scan_response"),
    (["whitelist": ["mode": "any", "addresses": []]], "confirm"),
    (["whitelist": ["mode": "any", "addresses": ["01020304050g"]], "confirm": "x"], "addresses"),
    (["color": "red"], "color"),
  ]

  @Test(arguments: refused.indices)
  func `refuses`(index: Int) throws {
    let (arguments, word) = Self.refused[index]
    let refusal = try #require(try refusal("settings", arguments))
    #expect(refusal.code == .invalid)
    #expect(refusal.message.contains(word), "\(refusal.message)")
  }
}
