import FleetModel
import Testing

@Suite struct HexTests {
  @Test func isWrittenInLowerCaseWithoutSeparators() {
    #expect(Hex.string([0x0B, 0x84, 0xFF, 0x00]) == "0b84ff00")
    #expect(Hex.string([]) == "")
  }

  @Test(
    "input may also be upper case, with spaces and colons",
    arguments: [
      "0b84ff", "0B84FF", "0b 84 ff", "0B:84:FF", "0B: 84:fF",
    ])
  func isReadInEveryForm(text: String) { #expect(Hex.bytes(text) == [0x0B, 0x84, 0xFF]) }

  @Test(arguments: ["0", "0b8", "0b8 4", "0x0b", "0g", "0b,84", "０b", "0b\n84", "-1"])
  func anythingElseIsRefused(text: String) { #expect(Hex.bytes(text) == nil) }

  @Test func everyByteComesBack() {
    let all = Array(UInt8.min...UInt8.max)
    #expect(Hex.bytes(Hex.string(all)) == all)
    #expect(Hex.bytes("") == [])
  }
}
