import BoardKit
import Testing

@testable import Simulator

/// Bytes as Tests/BlueZLab/README.md describes them.
struct LabShapeTests {
  @Test func `A board in its bootloader is told with address, size of packets, name and attributes`() throws {
    var bench = BootloaderBench(.s) { $0.place = .nextAddress }
    try bench.jump()
    let shape = try #require(LabShape(bench.board))
    let head = [UInt8](hex: "c0ffee000002 0017 08 4d657461426f6f74 02")
    #expect(Array(shape.bytes.prefix(head.count)) == head)
    let service = shape.bytes.dropFirst(head.count)
    #expect(Array(service.prefix(16)) == MetaMotionAttributes.bootloader.bytes)
    #expect(
      Array(service.dropFirst(16).prefix(18)) == [3] + MetaMotionAttributes.bootloaderPacket.uuid.bytes + [4])
    #expect(shape.bytes.count == head.count + 2 * 17 + 8 * 17)
  }

  @Test func `The advertised service comes first, and a board off the air is nothing`() throws {
    var bench = BootloaderBench(.s)
    #expect(LabShape(bench.board)?.services == bench.board.services)
    bench.connect(subscribing: false)
    #expect(LabShape(bench.board) == nil)
  }
}
