import DBus
package import EventLoops
import Glibc

/// Where a characteristic's notifications come from: a socket acquired from BlueZ, one packet a notification, or
/// PropertiesChanged signals where no socket is to be had. Confined to its link.
package final class NotificationSource {
  enum Transport {
    case socket(Int32, Watch)
    case signals(ReadEcho)
    case none
  }

  /// What there was to read.
  package enum Supply { case more, nothing, end }

  package init() {}

  // Unchecked, because every packet needs them; a delivery that comes back for them finds `isDraining`.
  @exclusivity(unchecked) private(set) var transport = Transport.none
  /// Longer than any notification: an attribute has at most 512 bytes.
  @exclusivity(unchecked) private var buffer = [UInt8](repeating: 0, count: 1024)
  @exclusivity(unchecked) private var isDraining = false

  deinit { close() }

  /// Reads from `descriptor` from now on; it is closed with this object.
  package func use(_ descriptor: Int32, _ watch: Watch) {
    close()
    transport = .socket(descriptor, watch)
  }

  func useSignals() {
    close()
    transport = .signals(ReadEcho())
  }

  /// Also tells BlueZ to switch the notifications off.
  package func close() {
    if case .socket(let descriptor, let watch) = transport {
      watch.cancel()
      Glibc.close(descriptor)
    }
    transport = .none
  }

  /// Delivers what the socket holds, without waiting, at most `limit` packets. `hasHungUp`: no more will come.
  package func drain(limit: Int, hasHungUp: Bool, _ deliver: (RawSpan) -> Void) -> Supply {
    // `deliver` may end the link, which drains its sources.
    guard !isDraining else { return .nothing }
    isDraining = true
    defer { isDraining = false }
    var empties = 0
    for _ in 0..<limit {
      guard case .socket(let descriptor, _) = transport else { return .nothing }
      let count = buffer.withUnsafeMutableBytes {
        recv(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
      }
      if count > 0 {
        deliver(buffer.span.bytes.extracting(first: count))
      } else if count == 0 {
        // An empty packet looks like the end of the file (fault F25). The end repeats itself.
        empties += 1
        if hasHungUp, empties > 16 { return .end }
      } else if errno == EAGAIN {
        return .nothing
      } else if errno != EINTR {
        return .end
      }
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

  private func changeEcho(_ change: (inout ReadEcho) -> [[UInt8]]) -> [[UInt8]] {
    guard case .signals(var echo) = transport else { return [] }
    defer { transport = .signals(echo) }
    return change(&echo)
  }
}
