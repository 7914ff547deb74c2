import Dialects
import FleetModel

/// Events that their one consumer has not taken yet. While it is full nothing is read from the socket, so that a
/// slow consumer slows the broker down and memory stays bounded, whatever is published to us. One that takes nothing
/// for two keepalives loses the connection, because the broker's answers are not read either.
struct EventQueue: Sendable {
  private var events: [BrokerEvent] = []
  private var next = 0
  private var bytes = 0
  /// Whether reading should go on. Resumes at half the limit, not to switch at every event.
  private(set) var hasRoom = true

  private static let limit = BrokerLimits.unreadBytes

  mutating func append(_ event: BrokerEvent) {
    events.append(event)
    bytes += event.footprint
    if bytes >= Self.limit { hasRoom = false }
  }

  mutating func pop() -> BrokerEvent? {
    guard next < events.count else { return nil }
    let event = events[next]
    next += 1
    bytes -= event.footprint
    if bytes <= Self.limit / 2 { hasRoom = true }
    if next == events.count {
      events.removeAll(keepingCapacity: true)
      next = 0
    } else if next >= 256, next * 2 >= events.count {
      events.removeFirst(next)
      next = 0
    }
    return event
  }
}

extension BrokerEvent {
  /// Roughly, in bytes.
  fileprivate var footprint: Int {
    switch self {
    case .message(let message): 256 + message.topic.utf8.count + message.payload.count
    case .acknowledged(let answers): 64 + 64 * answers.count
    case .disconnected: 64
    }
  }
}
