import Testing

@testable import Simulator

struct LittleEndianTests {
  @Test func `Least significant byte first, both ways`() {
    #expect(UInt16(0x1234).littleEndianBytes == [0x34, 0x12])
    #expect(Int16(-2).littleEndianBytes == [0xFE, 0xFF])
    #expect(UInt32(littleEndian: [0, 0x15, 4, 0, 0], at: 1) == 0x0415)
    #expect(Int16(littleEndian: [0xFE, 0xFF]) == -2)
  }

  @Test(arguments: [-1, 1, 2, Int.max])
  func `Too few bytes are nothing`(_ offset: Int) {
    #expect(UInt16(littleEndian: [1, 2], at: offset) == nil)
  }
}
