import EventLoops
import Glibc
import Testing

@testable import BlueZ

@Suite struct NotificationSourceTests {
  private func with(_ body: (NotificationSource, _ far: Int32) throws -> Void) throws {
    let loop = try EventLoop(name: "test")
    defer { loop.stop() }
    let pair = try PacketSockets()
    let source = NotificationSource()
    source.use(pair.near, try loop.watch(pair.near, for: []) { _ in })
    try body(source, pair.far)
    source.close()
  }

  private func packets(
    _ source: NotificationSource, limit: Int = 64, hasHungUp: Bool = false
  ) -> (packets: [[UInt8]], supply: NotificationSource.Supply) {
    var packets: [[UInt8]] = []
    let supply = source.drain(limit: limit, hasHungUp: hasHungUp) { span in
      packets.append(span.withUnsafeBytes { Array($0) })
    }
    return (packets, supply)
  }

  @Test func oneReadIsOneNotificationAndTheLimitIsKept() throws {
    try with { source, far in
      for number in 0..<5 as Range<UInt8> { send(far, [number, number], 2, 0) }
      var taken = packets(source, limit: 3)
      #expect(taken.packets == [[0, 0], [1, 1], [2, 2]] && taken.supply == .more)
      taken = packets(source)
      #expect(taken.packets == [[3, 3], [4, 4]] && taken.supply == .nothing)
      close(far)
    }
  }

  @Test("F25 empty packets are neither data nor the end")
  func empties() throws {
    try with { source, far in
      send(far, [UInt8](), 0, 0)
      send(far, [1], 1, 0)
      let taken = packets(source)
      #expect(taken.packets == [[1]] && taken.supply == .nothing)
      close(far)
    }
  }

  @Test("F26 what was sent before the hang-up is delivered, then comes the end")
  func hangUp() throws {
    try with { source, far in
      send(far, [1], 1, 0)
      send(far, [UInt8](), 0, 0)
      send(far, [2], 1, 0)
      close(far)
      guard case .socket(let near, _) = source.transport else { return }
      // A child process being started may hold a copy for a moment.
      var entry = pollfd(fd: near, events: 0, revents: 0)
      #expect(poll(&entry, 1, -1) == 1)
      let taken = packets(source, hasHungUp: true)
      #expect(taken.packets == [[1], [2]] && taken.supply == .end)
    }
  }

  @Test func closingFromWithinADeliveryEndsIt() throws {
    try with { source, far in
      for number in 0..<3 as Range<UInt8> { send(far, [number], 1, 0) }
      var count = 0
      let supply = source.drain(limit: 64, hasHungUp: false) { _ in
        count += 1
        source.close()
      }
      #expect(count == 1 && supply == .nothing)
      close(far)
    }
  }
}
