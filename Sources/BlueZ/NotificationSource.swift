import DBus
package import EventLoops
package import FleetModel
import Glibc

/// Where a characteristic's notifications come from: a socket acquired from BlueZ, one packet a notification, or
/// PropertiesChanged signals where no socket is to be had. Confined to its link.
package final class NotificationSource {
  enum Transport {
    case socket(Int32, Watch)
    case signals(ReadEchoFilter)
    case none
  }

  private let reader: PacketReader

  /// Reads on `loop` alone.
  package init(on loop: EventLoop) { reader = loop.packets }

  // Unchecked, because every packet needs them; a delivery that comes back for them finds `isDraining`.
  @exclusivity(unchecked) private(set) var transport = Transport.none
  @exclusivity(unchecked) private var isDraining = false

  deinit { close() }

  /// Reads from `descriptor` from now on; it is closed with this object.
  package func use(_ descriptor: Int32, _ watch: Watch) {
    close()
    PacketReader.prepare(descriptor)
    transport = .socket(descriptor, watch)
  }

  func useSignals() {
    close()
    transport = .signals(ReadEchoFilter())
  }

  /// Also tells BlueZ to switch the notifications off.
  package func close() {
    if case .socket(let descriptor, let watch) = transport {
      watch.cancel()
      Glibc.close(descriptor)
    }
    transport = .none
  }

  /// Delivers what the socket holds, without waiting, with when each packet was put there; `turns` times what is taken
  /// at once. `hasHungUp`: no more will come.
  package func drain(turns: Int, hasHungUp: Bool, _ deliver: (RawSpan, Timestamp) -> Void) -> DrainResult {
    // `deliver` may end the link, which drains its sources.
    guard !isDraining else { return .nothing }
    isDraining = true
    defer { isDraining = false }
    var empties = 0
    for _ in 0..<turns {
      guard case .socket(let descriptor, _) = transport else { return .nothing }
      let rest = reader.read(from: descriptor) { packet, arrival in
        // An empty packet looks like the end of the file (fault F25). The end repeats itself.
        if packet.isEmpty {
          empties += 1
        } else if case .socket = transport {
          deliver(packet, Timestamp(nanoseconds: arrival))
        }
      }
      if hasHungUp, empties > 16 { return .ended }
      if rest != .more { return rest }
    }
    return .more
  }

  /// Values that are signalled count only without a socket, which signals nothing but the echoes of reads.
  func signalled(_ value: [UInt8]) -> [[UInt8]] { changeEcho { $0.signalled(value) } }
  func beganRead() {
    _ = changeEcho {
      $0.beganRead(); return []
    }
  }
  func endedRead(_ answer: [UInt8]?) -> [[UInt8]] { changeEcho { $0.endedRead(answer) } }

  private func changeEcho(_ change: (inout ReadEchoFilter) -> [[UInt8]]) -> [[UInt8]] {
    guard case .signals(var echo) = transport else { return [] }
    defer { transport = .signals(echo) }
    return change(&echo)
  }
}
