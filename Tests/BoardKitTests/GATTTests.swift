import BoardKit
import Testing

@Suite struct GATTTests {
  @Test(arguments: [
    "326a9001-85cb-9195-d9dd-464cfbbae75a", "00001530-1212-efde-1523-785feabcd123",
    "0000180f-0000-1000-8000-00805f9b34fb",
  ])
  func `a UUID is written as BlueZ writes it`(text: String) {
    #expect(AttributeUUID(text).description == text)
    #expect(AttributeUUID(text.uppercased()) == AttributeUUID(text))
    #expect(AttributeUUID(text.filter { $0 != "-" }) == AttributeUUID(text))
  }

  @Test func `assigned numbers stand in the base UUID`() {
    #expect(AttributeUUID(assigned: 0x180F) == AttributeUUID("0000180f-0000-1000-8000-00805f9b34fb"))
    #expect(AttributeUUID(assigned: 0x2A19).description == "00002a19-0000-1000-8000-00805f9b34fb")
  }

  @Test(
    arguments: [
      "", "180f", "326a9001-85cb-9195-d9dd-464cfbbae75", "326a9001-85cb-9195-d9dd-464cfbbae75az",
      "+26a9001-85cb-9195-+9dd-464cfbbae75a", "326a9001–85cb–9195–d9dd–464cfbbae75a",
    ])
  func `I18 what is no UUID names no attribute`(text: String) {
    #expect(AttributeUUID(text).description == "00000000-0000-0000-0000-000000000000")
  }
}
