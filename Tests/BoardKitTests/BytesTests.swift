import BoardKit
import Testing

struct BytesTests {
  @Test func `numbers are little endian`() {
    let bytes: [UInt8] = [0x12, 0x34, 0x56, 0x78, 0x9A]
    #expect(bytes.number(at: 0, as: UInt8.self) == 0x12)
    #expect(bytes.number(at: 1, as: UInt16.self) == 0x5634)
    #expect(bytes.number(at: 1, as: UInt32.self) == 0x9A78_5634)
    #expect([0xAC, 0xFF].number(at: 0, as: Int16.self) == -84)
    #expect([0x80].number(at: 0, as: Int8.self) == -128)
  }

  @Test(arguments: [-1, 4, 5, Int.max, Int.min])
  func `what lies outside is nil`(offset: Int) {
    #expect([1, 2, 3, 4, 5].number(at: offset, as: UInt16.self) == nil)
    #expect([UInt8]().number(at: offset, as: UInt32.self) == nil)
  }

  @Test func `what is written is read back`() {
    var bytes: [UInt8] = [0xFF]
    bytes.append(number: UInt16(0x1234))
    bytes.append(number: Int32(-2))
    #expect(bytes == [0xFF, 0x34, 0x12, 0xFE, 0xFF, 0xFF, 0xFF])
    #expect(bytes.number(at: 3, as: Int32.self) == -2)
    #expect(bytes.hex == "ff3412feffffff")
  }
}
