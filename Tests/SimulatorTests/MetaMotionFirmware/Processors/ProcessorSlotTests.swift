import Testing

@testable import Simulator

struct ProcessorSlotTests {
  @Test func `It reads back as created, and as modified`() throws {
    var slot = try #require(ProcessorSlot([UInt8](hex: "09 03 00 20 06 22 00 80")))
    #expect(slot.bytes.hex == "09 03 00 20 06 22 00 80")
    slot.modify(type: 6, configuration: [UInt8](hex: "22 00 20"))
    #expect(slot.bytes.hex == "09 03 00 20 06 22 00 20")
    slot.modify(type: 7, configuration: [UInt8](hex: "A5 01"))
    slot.modify(type: 6, configuration: [])
    #expect(slot.bytes.hex == "09 03 00 20 06 22 00 20")
  }

  @Test func `An accounter takes a packer's whole output, other processors their slice`() throws {
    let accounter = try #require(ProcessorSlot([UInt8](hex: "09 03 00 20 11 31 03")))
    #expect(accounter.input(of: [1, 2, 3, 4]) == [1, 2, 3, 4])
    let axis = try #require(ProcessorSlot([UInt8](hex: "03 04 FF 22 11 31 03")))
    #expect(axis.input(of: [1, 2, 3, 4, 5, 6]) == [3, 4])
  }

  @Test(arguments: ["09 03 00 20", "09 03 00 20 05 01", "09 03 00 20 1A 01", "09 03 00 20 01 00"])
  func `Unknown types and configurations are refused`(_ payload: String) {
    #expect(ProcessorSlot([UInt8](hex: payload)) == nil)
  }

  @Test func `A fuser builds on its source and on its buffers`() throws {
    let slot = try #require(
      ProcessorSlot([UInt8](hex: "09 03 02 A0 1B 01 05 00 00 00 00 00 00 00 00 00 00 00")))
    #expect(slot.builds(on: 2) && slot.builds(on: 5) && !slot.builds(on: 0))
  }
}
