import FleetModel
import Testing

/// MQTT contract 3.10.
@Suite struct RawVerbTests {
  private func intent(_ hex: JSONValue) throws -> Intent {
    let verb = try #require(VerbCatalogue.find("raw", for: .board))
    return try verb.interpret(["confirm": "a", "hex": hex, "answers": 1])
  }

  @Test func `takes one packet or several`() throws {
    #expect(try intent("0B 84") == .device(.raw(RawCommand(packets: [[0x0B, 0x84]], answers: 1))))
    #expect(
      try intent(["0b84", "0b85"])
        == .device(.raw(RawCommand(packets: [[0x0B, 0x84], [0x0B, 0x85]], answers: 1))))
  }

  @Test(
    arguments: [
      "0b", .string(String(repeating: "00", count: 21)), .array([]),
      .array(Array(repeating: "0b84", count: 17)), 11,
    ] as [JSONValue])
  func `bounds are checked`(hex: JSONValue) {
    #expect { try intent(hex) } throws: { ($0 as? CommandFailure)?.code == .invalid }
  }

  @Test(
    arguments: ["fe08", "FE 08 00", "fe88", "0f03fe08", "0f09fe08", "0a020101fffe0800"])
  func `what bricks a board is denied, at once or kept for later`(hex: String) {
    #expect { try intent(.string(hex)) } throws: { ($0 as? CommandFailure)?.code == .denied }
    #expect { try intent(["0b84", .string(hex)]) } throws: { ($0 as? CommandFailure)?.code == .denied }
    #expect {
      try ActionParsing.parse(["verb": "raw", "args": ["hex": .string(hex)]])
    } throws: { ($0 as? CommandFailure)?.code == .denied }
  }
}
