import EventLoops
import Glibc
import Testing

@testable import DBus

@Suite struct DBusDescriptorTests {
  private func isClosed(_ farEnd: Int32) -> Bool {
    var byte: UInt8 = 0
    return read(farEnd, &byte, 1) == 0
  }

  @Test func closesWithTheLastReference() throws {
    let ends = try PacketSockets()
    var descriptor: DBusDescriptor? = DBusDescriptor(owning: ends.far)
    var value: DBusValue? = descriptor.map { .descriptor($0) }
    descriptor = nil
    #expect(!isClosed(ends.near))
    #expect(value != nil)
    value = nil
    #expect(isClosed(ends.near))
    close(ends.near)
  }

  @Test func whoTakesItClosesItAndOnlyOneCan() throws {
    let ends = try PacketSockets()
    var descriptor: DBusDescriptor? = DBusDescriptor(owning: ends.far)
    #expect(descriptor?.take() == ends.far)
    #expect(descriptor?.take() == nil)
    descriptor = nil
    #expect(!isClosed(ends.near))
    close(ends.far)
    #expect(isClosed(ends.near))
    close(ends.near)
  }
}
