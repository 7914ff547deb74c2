import EventLoops
import FleetModel
import Glibc
import Testing

@testable import BlueZ

@Suite struct NotificationSourceTests {
  private func with(_ body: (NotificationSource, _ far: Int32) throws -> Void) throws {
    let loop = try EventLoop(name: "test")
    defer { loop.stop() }
    let pair = try PacketSockets()
    let source = NotificationSource(on: loop)
    source.use(pair.near, try loop.watch(pair.near, for: []) { _ in })
    try body(source, pair.far)
    source.close()
  }

  private func packets(
    _ source: NotificationSource, turns: Int = 64, hasHungUp: Bool = false
  ) -> (packets: [[UInt8]], result: DrainResult) {
    var packets: [[UInt8]] = []
    let result = source.drain(turns: turns, hasHungUp: hasHungUp) { span, _ in
      packets.append(span.withUnsafeBytes { Array($0) })
    }
    return (packets, result)
  }

  @Test func `one packet is one notification and whoever floods is not read to the end`() throws {
    try with { source, far in
      for number in 0..<50 as Range<UInt8> { send(far, [number, number], 2, 0) }
      var taken = packets(source, turns: 1)
      #expect(taken.packets.first == [0, 0] && taken.packets.count < 50 && taken.result == .more)
      let first = taken.packets
      taken = packets(source)
      #expect(first + taken.packets == (0..<50).map { [$0, $0] } && taken.result == .nothing)
      close(far)
    }
  }

  @Test func `F24 what had to wait for us came when it was sent, and not when it was read`() throws {
    try with { source, far in
      for number in 0..<3 as Range<UInt8> { send(far, [number], 1, 0) }
      var sent = timespec()
      clock_gettime(CLOCK_REALTIME, &sent)
      var arrivals: [Timestamp] = []
      _ = source.drain(turns: 1, hasHungUp: false) { _, arrival in arrivals.append(arrival) }
      #expect(arrivals.count == 3 && arrivals == arrivals.sorted() && Set(arrivals).count == 3)
      let latest = Timestamp(nanoseconds: Int64(sent.tv_sec) * 1_000_000_000 + Int64(sent.tv_nsec))
      #expect(arrivals.last.map { $0 <= latest } == true)
      close(far)
    }
  }

  /// A link that ends takes what its other sockets hold while it is told of a packet.
  @Test func `what is read while a packet is delivered disturbs nothing`() throws {
    let loop = try EventLoop(name: "test")
    defer { loop.stop() }
    let pairs = [try PacketSockets(), try PacketSockets()]
    let sources = try pairs.map { pair in
      let source = NotificationSource(on: loop)
      source.use(pair.near, try loop.watch(pair.near, for: []) { _ in })
      return source
    }
    for number in 0..<3 as Range<UInt8> {
      send(pairs[0].far, [number], 1, 0)
      send(pairs[1].far, [10 + number], 1, 0)
    }
    var taken: [[UInt8]] = []
    _ = sources[0].drain(turns: 1, hasHungUp: false) { packet, _ in
      taken += packets(sources[1]).packets
      taken.append(packet.withUnsafeBytes { Array($0) })
    }
    #expect(taken == [[10], [11], [12], [0], [1], [2]])
    for (pair, source) in zip(pairs, sources) {
      source.close()
      close(pair.far)
    }
  }

  @Test func `F25 empty packets are neither data nor the end`() throws {
    try with { source, far in
      send(far, [UInt8](), 0, 0)
      send(far, [1], 1, 0)
      let taken = packets(source)
      #expect(taken.packets == [[1]] && taken.result == .nothing)
      close(far)
    }
  }

  @Test func `F26 what was sent before the hang-up is delivered, then comes the end`() throws {
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
      #expect(taken.packets == [[1], [2]] && taken.result == .ended)
    }
  }

  @Test func `closing from within a delivery ends it`() throws {
    try with { source, far in
      for number in 0..<3 as Range<UInt8> { send(far, [number], 1, 0) }
      var count = 0
      let result = source.drain(turns: 64, hasHungUp: false) { _, _ in
        count += 1
        source.close()
      }
      #expect(count == 1 && result == .nothing)
      close(far)
    }
  }
}
