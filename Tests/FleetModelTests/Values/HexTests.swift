import FleetModel
import Testing

@Suite struct HexTests {
  @Test func `is written in lower case without separators`() {
    #expect(Hex.string([0x0B, 0x84, 0xFF, 0x00]) == "0b84ff00")
    #expect(Hex.string([]) == "")
  }

  @Test(
    arguments: [
      "0b84ff", "0B84FF", "0b 84 ff", "0B:84:FF", "0B: 84:fF",
    ])
  func `input may also be upper case, with spaces and colons`(text: String) {
    #expect(Hex.bytes(text) == [0x0B, 0x84, 0xFF])
  }

  @Test(arguments: ["0", "0b8", "0b8 4", "0x0b", "0g", "0b,84", "０b", "0b\n84", "-1"])
  func `anything else is refused`(text: String) { #expect(Hex.bytes(text) == nil) }

  @Test func `every byte comes back`() {
    let all = Array(UInt8.min...UInt8.max)
    #expect(Hex.bytes(Hex.string(all)) == all)
    #expect(Hex.bytes("") == [])
  }
}
