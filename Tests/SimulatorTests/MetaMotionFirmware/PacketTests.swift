import Simulator
import Testing

struct PacketTests {
  @Test func `A packet is split into module, register, verb and payload`() throws {
    let write = try #require(Packet([3, 0x02, 1, 0]))
    #expect(write.module == 3 && write.register == 2 && write.verb == .write && write.payload == [1, 0])
    #expect(Packet([4, 0x81, 0])?.verb == .read)
    let silent = try #require(Packet([4, 0xC1, 0]))
    #expect(silent.verb == .silentRead && silent.register == 1)
  }

  @Test(arguments: [
    [], [3], [3, 0x41], [UInt8](repeating: 1, count: 21),
  ])
  func `What is no packet is none`(_ bytes: [UInt8]) {
    #expect(Packet(bytes) == nil)
  }
}
