import Glibc
import Testing

@testable import DBus

@Suite struct DBusDescriptorTests {
  /// A pipe tells from outside whether its writing end is still open anywhere.
  private func pipeEnds() -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    return (ends[0], ends[1])
  }

  private func isClosed(_ readEnd: Int32) -> Bool {
    var byte: UInt8 = 0
    return read(readEnd, &byte, 1) == 0
  }

  @Test func closesWithTheLastReference() {
    let ends = pipeEnds()
    var descriptor: DBusDescriptor? = DBusDescriptor(owning: ends.write)
    var value: DBusValue? = descriptor.map { .descriptor($0) }
    descriptor = nil
    #expect(!isClosed(ends.read))
    #expect(value != nil)
    value = nil
    #expect(isClosed(ends.read))
    close(ends.read)
  }

  @Test func whoTakesItClosesItAndOnlyOneCan() {
    let ends = pipeEnds()
    var descriptor: DBusDescriptor? = DBusDescriptor(owning: ends.write)
    #expect(descriptor?.take() == ends.write)
    #expect(descriptor?.take() == nil)
    descriptor = nil
    #expect(!isClosed(ends.read))
    close(ends.write)
    #expect(isClosed(ends.read))
    close(ends.read)
  }
}
