import Testing

@testable import Simulator

struct VectorStreamTests {
  @Test func `Each axis is rounded, saturates, and travels least significant byte first`() {
    #expect(VectorStream.bytes([1, -1, 0], scale: 16) == [16, 0, 0xF0, 0xFF, 0, 0])
    #expect(VectorStream.bytes([5, -5, 0.00004], scale: 16384) == [0xFF, 0x7F, 0x00, 0x80, 1, 0])
  }
}
