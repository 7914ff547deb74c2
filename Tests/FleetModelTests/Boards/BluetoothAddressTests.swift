import FleetModel
import Testing

@Suite struct BluetoothAddressTests {
  @Test(arguments: [
    "E5:A1:C2:D3:F4:B6", "e5:a1:c2:d3:f4:b6", "e5a1c2d3f4b6", "E5A1C2D3F4B6", "E5:a1:C2:d3:F4:b6",
  ])
  func `is read in both forms`(text: String) throws {
    let address = try #require(BluetoothAddress(text))
    #expect(address.rawValue == 0xE5A1_C2D3_F4B6)
    #expect(address.colonSeparated == "E5:A1:C2:D3:F4:B6")
    #expect(address.compact == "e5a1c2d3f4b6")
  }

  @Test(
    arguments: [
      "", " ", "e5a1c2d3f4b", "e5a1c2d3f4b6f", "e5a1c2d3f4bg", "E5-A1-C2-D3-F4-B6", "E5:A1:C2:D3:F4:B",
      "E5:A1:C2:D3:F4B6:",
      ":E5:A1:C2:D3:F4:B", "E5:A1:C2:D3:F4::6", "e5a1c2d3f4b6\n", "+5a1c2d3f4b6", "-5a1c2d3f4b6",
      "e5a1c2d3f4\u{0}6",
      "../../../etc", "e5a1c2d3f4/#", "ｅ5a1c2d3f4", "٣٣٣٣٣٣", "0x1234567890",
    ])
  func `F85 what is no address is refused`(text: String) {
    #expect(BluetoothAddress(text) == nil)
    #expect(BoardID(text) == nil)
    #expect(AdapterID(text) == nil)
  }

  @Test func `keeps leading zeros`() throws {
    let address = try #require(BluetoothAddress("00:00:00:00:00:0A"))
    #expect(address.compact == "00000000000a")
    #expect(address.colonSeparated == "00:00:00:00:00:0A")
  }

  @Test func `holds 48 bits`() {
    #expect(BluetoothAddress(rawValue: .max).compact == "ffffffffffff")
    #expect(BluetoothAddress(rawValue: 1) < BluetoothAddress(rawValue: 2))
  }
}
