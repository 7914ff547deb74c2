import Dialects

/// How much a socket that takes nothing more may pile up in the library, which has no limit of its own.
///
/// QoS 1 messages are bounded by their publisher's window; QoS 0 messages by this.
struct Congestion: Sendable {
  /// Live samples of a second or two from a large fleet; later they are not live any more.
  static let limit = BrokerLimits.unwrittenBytes

  private var backlog = 0

  /// Whether a QoS 0 message may go. `isBlocked`: the library still holds bytes of earlier ones.
  mutating func admits(bytes: Int, isBlocked: Bool) -> Bool {
    if !isBlocked { backlog = 0 }
    guard backlog + bytes <= Self.limit || backlog == 0 else { return false }
    backlog += bytes
    return true
  }

  /// Other bytes that were handed over; they go in any case.
  mutating func note(bytes: Int, isBlocked: Bool) {
    backlog = isBlocked ? backlog + bytes : bytes
  }
}
