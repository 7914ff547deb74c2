import CLinux
import Glibc

/// Takes packets out of sockets, all that wait with one call, and knows when each was put in: the kernel notes it, so
/// that a stamp is as good when the loop comes late.
///
/// One serves all sockets of a loop, and so stays in the processor's cache. Confined to its loop.
package final class PacketReader {
  /// Bytes that are taken of a packet; a longer one is cut.
  private static let longest = 1024
  private static let most = Int(CLINUX_PACKETS_AT_ONCE)

  // Unchecked, because every packet needs them; a look that comes back for them finds `isLooking`.
  @exclusivity(unchecked) private var slots = [UInt8](repeating: 0, count: most * longest)
  @exclusivity(unchecked) private var lengths = [Int32](repeating: 0, count: most)
  @exclusivity(unchecked) private var stamps = [Int64](repeating: 0, count: most)
  @exclusivity(unchecked) private var clock = PacketClock()
  @exclusivity(unchecked) private var isLooking = false

  package init() {}

  /// Has the kernel note the time of what comes in on `descriptor`. What has no stamp counts as new.
  package static func prepare(_ descriptor: Int32) { _ = clinux_stamp_packets(descriptor) }

  /// Delivers what the socket holds, without waiting, each packet with when it came, in nanoseconds since the Unix epoch:
  /// now, where that is not known. At the end of the file there are empty packets. `deliver` may look at other sockets.
  package func look(at descriptor: Int32, _ deliver: (RawSpan, Int64) -> Void) -> DrainResult {
    if isLooking { return PacketReader().look(at: descriptor, deliver) }
    let count = receive(from: descriptor)
    guard count >= 0 else { return errno == EAGAIN ? .nothing : errno == EINTR ? .more : .ended }
    isLooking = true
    defer { isLooking = false }
    clock.looked(wall: Self.time(CLOCK_REALTIME), monotonic: Self.time(CLOCK_MONOTONIC))
    let bytes = slots.span.bytes
    for index in 0..<count {
      let start = index * Self.longest
      deliver(
        bytes.extracting(start..<start + Int(lengths[index])), clock.arrival(ofStamp: stamps[index]))
    }
    return count == Self.most ? .more : .nothing
  }

  private func receive(from descriptor: Int32) -> Int {
    slots.withUnsafeMutableBytes { slots in
      lengths.withUnsafeMutableBufferPointer { lengths in
        stamps.withUnsafeMutableBufferPointer { stamps in
          Int(
            clinux_receive_packets(
              descriptor, slots.baseAddress, Int32(Self.longest), lengths.baseAddress, stamps.baseAddress))
        }
      }
    }
  }

  private static func time(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
