import FleetModel
import Testing

/// MQTT contract 4.1.
@Suite struct GatewayVerbsTests {
  private func board() throws -> BoardID { try #require(BoardID("e5a1c2d3f4b6")) }

  @Test func `admit as in the contracts example`() throws {
    let wanted = try intent(
      "admit", ["board": "E5:A1:C2:D3:F4:B6", "name": "Pump 3", "profile": "vibration", "groups": ["east"]],
      .gateway)
    #expect(
      wanted
        == .gateway(
          .admit(Admission(board: try board(), name: "Pump 3", profile: "vibration", groups: ["east"]))))
  }

  @Test func `admit takes everything`() throws {
    let wanted = try intent(
      "admit",
      [
        "board": "e5a1c2d3f4b6", "site": "hq", "groups": [], "labels": ["room": "3.14", "floor_2": "Größe"],
        "enabled": false,
      ], .gateway)
    #expect(
      wanted
        == .gateway(
          .admit(
            Admission(
              board: try board(), site: "hq", groups: [], labels: ["room": "3.14", "floor_2": "Größe"],
              isEnabled: false))))
  }

  @Test func `what is left out leaves what was known`() throws {
    #expect(
      try intent("admit", ["board": "e5a1c2d3f4b6"], .gateway)
        == .gateway(.admit(Admission(board: try board()))))
  }

  private static let admitRefusesCases: [JSONObject] = [
    [:], ["board": "pump"], ["board": "e5a1c2d3f4bx"], ["board": 5], ["groups": ["East"]], ["groups": "east"],
    ["groups": .array(Array(repeating: "a", count: 17))], ["labels": ["Room": "1"]], ["labels": ["room": 1]],
    ["labels": ["room": .string(String(repeating: "x", count: 129))]], ["name": ""], ["enabled": "yes"],
    ["adapter": "hci0"], ["name": .string(String(repeating: "x", count: 65))], ["profile": "A b"],
    ["profile": "../etc"],
  ]

  @Test(arguments: admitRefusesCases)
  func `admit refuses`(arguments: JSONObject) throws {
    let whole =
      arguments["board"] == nil && !arguments.isEmpty
      ? arguments.merging(["board": "e5a1c2d3f4b6"]) : arguments
    #expect(try refusal("admit", whole, .gateway)?.code == .invalid)
  }

  /// MQTT contract 9: no control, format or bidirectional characters, no leading or trailing space.
  @Test(
    arguments: [
      "Pump\n3", "\u{202E}3 pmuP", "Pump\u{0}", " Pump", "Pump ", "Pump\u{200B}3", "\u{1B}[31m", "a\u{9B}b",
      "\u{FEFF}Pump", "Pump\u{2028}3",
    ])
  func `F85 names that would trick a display are refused`(name: String) throws {
    for key in ["name", "site"] {
      #expect(
        try refusal("admit", ["board": "e5a1c2d3f4b6", key: .string(name)], .gateway)?.code == .invalid)
    }
  }

  @Test(arguments: ["Pump 3", "Größe", "泵3", "🏭 hall", "a"])
  func `names for people`(name: String) throws {
    #expect(
      try intent("admit", ["board": "e5a1c2d3f4b6", "name": .string(name)], .gateway)
        == .gateway(.admit(Admission(board: try board(), name: name))))
  }

  /// MQTT contract 9: `all` is reserved.
  @Test func `nobody is put into the group all`() throws {
    #expect(try refusal("admit", ["board": "e5a1c2d3f4b6", "groups": ["all"]], .gateway)?.code == .invalid)
  }

  @Test func `forget`() throws {
    #expect(
      try intent("forget", ["board": "e5a1c2d3f4b6"], .gateway)
        == .gateway(.forget(ForgetRequest(.board(try board())))))
    for keepsData in [true, false] {
      #expect(
        try intent("forget", ["board": "E5:A1:C2:D3:F4:B6", "keep_data": .bool(keepsData)], .gateway)
          == .gateway(.forget(ForgetRequest(.board(try board()), keepsData: keepsData))))
    }
    #expect(
      try intent("forget", ["board": "e5a1c2d3f4b6", "block": true], .gateway)
        == .gateway(.forget(ForgetRequest(.board(try board()), blocks: true))))
    #expect(
      try intent("forget", ["never_connected": true, "keep_data": false], .gateway)
        == .gateway(.forget(ForgetRequest(.neverConnected, keepsData: false))))
    let adapter = try #require(AdapterID("001a7dda7113"))
    #expect(
      try intent("forget", ["adapter": "00:1A:7D:DA:71:13"], .gateway)
        == .gateway(.forget(ForgetRequest(.adapter(adapter)))))
    let wrongOnes: [JSONObject] = [
      [:], ["board": "no"], ["board": "e5a1c2d3f4b6", "keep_data": 1],
      ["board": "e5a1c2d3f4b6", "never_connected": true], ["never_connected": false], ["block": true],
      ["board": "e5a1c2d3f4b6", "block": "yes"], ["adapter": "hci0"],
      ["adapter": "001a7dda7113", "block": true], ["adapter": "001a7dda7113", "board": "e5a1c2d3f4b6"],
      ["adapter": "001a7dda7113", "never_connected": true],
    ]
    for wrong in wrongOnes {
      #expect(try refusal("forget", wrong, .gateway)?.code == .invalid)
    }
  }

  @Test func `scan`() throws {
    #expect(try intent("scan", [:], .gateway) == .gateway(.scan(duration: .seconds(10), all: false)))
    #expect(
      try intent("scan", ["for_s": 1.5, "all": true], .gateway)
        == .gateway(.scan(duration: .milliseconds(1_500), all: true)))
    for wrong: JSONObject in [["for_s": 0.5], ["for_s": 121], ["for_s": "10"], ["all": 1], ["seconds": 5]] {
      #expect(try refusal("scan", wrong, .gateway)?.code == .invalid)
    }
  }

  @Test func `reload takes a confirmation, and nothing else`() throws {
    #expect(try intent("reload", [:], .gateway) == .gateway(.reload(isConfirmed: false)))
    #expect(try intent("reload", ["confirm": "gw"], .gateway) == .gateway(.reload(isConfirmed: true)))
    #expect(try refusal("reload", ["file": "/etc/passwd"], .gateway)?.code == .invalid)
  }
}
