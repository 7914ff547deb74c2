import Testing

@testable import Simulator

struct SignalSliceTests {
  private let vector: [UInt8] = [1, 2, 3, 4, 5, 6]

  @Test func `Offset and length are taken literally`() {
    #expect(SignalSlice(byte: 0xA0).bytes(of: vector) == vector)
    #expect(SignalSlice(byte: 0x22).bytes(of: vector) == [3, 4])
    #expect(SignalSlice(byte: 0x24).input(of: vector) == [5, 6])
    #expect(SignalSlice(byte: 0x26).bytes(of: vector) == nil)
    #expect(SignalSlice(byte: 0xFF).input(of: []) == nil)
  }

  @Test(arguments: [(16, UInt8(0xE0)), (13, 0x80), (12, 0x60)])
  func `A processor takes the whole of what is too long for three bits`(_ length: Int, _ byte: UInt8) {
    let payload = [UInt8](repeating: 7, count: length)
    #expect(SignalSlice(byte: byte).input(of: payload) == payload)
    #expect(SignalSlice(byte: byte).bytes(of: payload)?.count == Int(byte >> 5) + 1)
  }
}
