import BoardKit
import EventLoops
import FleetModel
import Glibc
import MetaMotion
import Simulator

/// Decoding packed acceleration, alone: processor time and allocations. The latter are counted by the library
/// `allocations.c` when it is preloaded.
actor DecodeProgram {
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  private nonisolated let loop: EventLoop
  private let link: SocketLink
  private let conversation: Conversation
  private let driver: any BoardDriver
  private static let packets = 50_000
  /// The best of them counts, because a neighbour on the machine makes some slower and none faster.
  private static let rounds = 200

  init() throws {
    loop = try EventLoop(name: "radio")
    let timekeeper = HostTimekeeper(wakingOn: loop)
    link = SocketLink(number: 0, loop: loop, timekeeper: timekeeper)
    conversation = Conversation(link: link, timekeeper: timekeeper)
    driver = MetaMotionFamily.descriptor.makeDriver(conversation)
  }

  func run() async throws {
    await link.open(
      received: { [weak self] _, packet, _ in self?.assumeIsolated { _ = $0.conversation.offer(packet) } },
      ended: { _ in })
    _ = try await driver.interview(remembering: nil)
    _ = try await driver.apply([StreamKey(0): try Demand.acceleration(at: 100)], button: false)
    let packet: [UInt8] = [0x03, 0x1C] + (0..<18).map { UInt8(truncatingIfNeeded: $0 * 37) }
    var decoded = DecodedPackets()
    var samples = decode(packet, times: 1000, into: &decoded)
    var best = Double.infinity
    let allocations = Self.allocations
    for _ in 0..<Self.rounds {
      let bill = Bill()
      samples = decode(packet, times: Self.packets, into: &decoded)
      best = min(best, bill.used * 1e9 / Double(samples))
    }
    let perPacket = Double(Self.allocations - allocations) / Double(Self.rounds * Self.packets)
    Bill.report(["ns_per_sample": best, "allocations_per_packet": perPacket])
  }

  private func decode(_ packet: [UInt8], times: Int, into decoded: inout DecodedPackets) -> Int {
    var samples = 0
    for time in 0..<times {
      decoded.removeAll()
      _ = driver.decode(
        packet.span.bytes, from: MetaMotionAttributes.notification, at: Timestamp(nanoseconds: Int64(time)),
        into: &decoded)
      samples += decoded.readings.count
    }
    return samples
  }

  private static var allocations: Int {
    guard let count = dlsym(nil, "allocations") else { return 0 }
    return unsafeBitCast(count, to: (@convention(c) () -> Int).self)()
  }
}
