import EventLoops
import Glibc
import Testing

@testable import DBus

@Suite struct DBusDescriptorTests {
  private func isOpen(_ farEnd: Int32) -> Bool {
    var byte: UInt8 = 0
    return read(farEnd, &byte, 1) < 0
  }

  /// Waits: a child process being started holds a copy for a moment. For ever if it stays open.
  private func waitForEnd(of farEnd: Int32) -> Bool {
    var entry = pollfd(fd: farEnd, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, -1) == 1 && !isOpen(farEnd)
  }

  @Test func `closes with the last reference`() throws {
    let ends = try PacketSockets()
    var descriptor: DBusDescriptor? = DBusDescriptor(owning: ends.far)
    var value: DBusValue? = descriptor.map { .descriptor($0) }
    descriptor = nil
    #expect(isOpen(ends.near))
    #expect(value != nil)
    value = nil
    #expect(waitForEnd(of: ends.near))
    close(ends.near)
  }

  @Test func `who takes it closes it and only one can`() throws {
    let ends = try PacketSockets()
    var descriptor: DBusDescriptor? = DBusDescriptor(owning: ends.far)
    #expect(descriptor?.take() == ends.far)
    #expect(descriptor?.take() == nil)
    descriptor = nil
    #expect(isOpen(ends.near))
    close(ends.far)
    #expect(waitForEnd(of: ends.near))
    close(ends.near)
  }
}
