import FleetModel
import Testing

@Suite struct StableHashTests {
  private static let isFNV1aCases: [(String, UInt64)] = [
    ("", UInt64(0xCBF2_9CE4_8422_2325)), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8),
  ]

  /// Published vectors of 64-bit FNV-1a.
  @Test(arguments: isFNV1aCases)
  func isFNV1a(text: String, hash: UInt64) { #expect(StableHash.of(text.utf8) == hash) }
}
