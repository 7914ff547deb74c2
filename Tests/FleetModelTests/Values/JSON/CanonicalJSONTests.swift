import Testing

@testable import FleetModel

/// RFC 8785.
@Suite struct CanonicalJSONTests {
  /// Appendix B of the RFC, by the numbers' bits, as far as they are finite.
  @Test(
    arguments: [
      (0x0000_0000_0000_0000, "0"), (0x8000_0000_0000_0000, "0"), (0x0000_0000_0000_0001, "5e-324"),
      (0x8000_0000_0000_0001, "-5e-324"), (0x7FEF_FFFF_FFFF_FFFF, "1.7976931348623157e+308"),
      (0x4340_0000_0000_0000, "9007199254740992"), (0x4430_0000_0000_0000, "295147905179352830000"),
      (0x44B5_2D02_C7E1_4AF5, "9.999999999999997e+22"), (0x44B5_2D02_C7E1_4AF6, "1e+23"),
      (0x44B5_2D02_C7E1_4AF7, "1.0000000000000001e+23"), (0x444B_1AE4_D6E2_EF4E, "999999999999999700000"),
      (0x444B_1AE4_D6E2_EF50, "1e+21"), (0x3EB0_C6F7_A0B5_ED8C, "9.999999999999997e-7"),
      (0x3EB0_C6F7_A0B5_ED8D, "0.000001"), (0x41B3_DE43_5555_5553, "333333333.3333332"),
      (0xBECB_F647_612F_3696, "-0.0000033333333333333333"), (0x4314_3FF3_C1CB_0959, "1424953923781206.2"),
    ] as [(UInt64, String)])
  func `numbers`(bits: UInt64, text: String) {
    #expect(CanonicalJSON.number(Double(bitPattern: bits)) == text)
  }

  @Test(arguments: [(0.5, "0.5"), (416.875, "416.875"), (7.5, "7.5"), (-12, "-12"), (100, "100")])
  func `plain numbers`(value: Double, text: String) { #expect(CanonicalJSON.number(value) == text) }

  @Test func `every number reads back`() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<2_000 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      #expect(Double(CanonicalJSON.number(value)) == value)
    }
  }

  @Test func `members are sorted and text is escaped as it says`() {
    let object: JSONObject = [
      "b": [1, true, .null], "a": ["y": "\u{8}\t\n\u{C}\r\"\\\u{1F}\u{7F}€", "x": 1.0],
      "\u{1F600}": 2, "\u{FB33}": 3,
    ]
    // Sorted by UTF-16 units, so that the surrogates of the smiley come before U+FB33.
    #expect(
      String(decoding: CanonicalJSON.bytes(object), as: UTF8.self)
        == #"{"a":{"x":1,"y":"\b\t\n\f\r\"\\\u001f"# + "\u{7F}€"
        + #""},"b":[1,true,null],"# + "\"\u{1F600}\":2,\"\u{FB33}\":3}")
  }

  /// The example of MQTT contract 1.5.
  @Test func `the hash is the contracts`() {
    #expect(
      CanonicalJSON.hash(["log": ["acceleration": ["rate_hz": 100, "range_g": 4]]]) == "426fbef519ae27f1")
  }
}
