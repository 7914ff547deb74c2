import CLinux
import Glibc

/// Reads packets from sockets, all waiting ones with one system call, with the time at which the kernel received each:
/// a stamp is right also when the loop is late.
///
/// One serves all sockets of a loop, and so stays in the processor's cache. Confined to its loop.
package final class PacketReader {
  /// Bytes that are taken of a packet; a longer one is cut.
  private static let longest = 1024
  private static let most = Int(CLINUX_PACKETS_AT_ONCE)

  // Unchecked, because every packet needs them; a read that comes back for them finds `isReading`.
  @exclusivity(unchecked) private var slots = [UInt8](repeating: 0, count: most * longest)
  @exclusivity(unchecked) private var lengths = [Int32](repeating: 0, count: most)
  @exclusivity(unchecked) private var stamps = [Int64](repeating: 0, count: most)
  @exclusivity(unchecked) private var clock = PacketClock()
  @exclusivity(unchecked) private var isReading = false

  package init() {}

  /// Has the kernel note the time of what comes in on `descriptor`. What has no stamp counts as new.
  package static func prepare(_ descriptor: Int32) { _ = clinux_stamp_packets(descriptor) }

  /// Delivers what the socket holds, without waiting, each packet with when it came, in nanoseconds since the Unix
  /// epoch: now, where that is not known. At the end of the file there are empty packets. `deliver` may read other
  /// sockets.
  package func read(from descriptor: Int32, _ deliver: (RawSpan, Int64) -> Void) -> DrainResult {
    if isReading { return PacketReader().read(from: descriptor, deliver) }
    let count = receive(from: descriptor)
    guard count >= 0 else { return errno == EAGAIN ? .nothing : errno == EINTR ? .more : .ended }
    isReading = true
    defer { isReading = false }
    clock.noted(wall: Self.time(CLOCK_REALTIME), monotonic: Self.time(CLOCK_MONOTONIC))
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
