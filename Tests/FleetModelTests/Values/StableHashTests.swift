import FleetModel
import Testing

@Suite struct StableHashTests {
  // Published vectors of FNV-1a, 64 bits.
  @Test(arguments: [
    ("", 0xcbf2_9ce4_8422_2325 as UInt64), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8),
  ])
  func `hashes as published`(text: String, hash: UInt64) {
    #expect(StableHash.of(Array(text.utf8)) == hash)
  }
}
