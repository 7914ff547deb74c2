import FleetModel

/// One direction of a link: packets cross it in connection events, so many in each and in order. A value.
struct EventLane<Packet: Sendable>: Sendable {
  private let start: Duration
  private let interval: Int64
  private let perEvent: Int
  /// The last event that has packets, and how many; counted from the start of the link.
  private var event: Int64 = 0
  private var inEvent = 0
  private var queue: [(due: Duration, packet: Packet)] = []
  private var first = 0

  /// Of a link that begins now.
  init(_ link: BootloaderTraits.Link, at now: Duration) {
    start = now
    interval = link.interval.wholeNanoseconds
    perEvent = max(1, link.packetsPerEvent)
  }

  /// A packet is ready to go; `late` is what it waits besides.
  mutating func put(_ packet: Packet, at now: Duration, late: Duration = .zero) {
    queue.append((due(for: now + late), packet))
  }

  /// When the next packet arrives.
  var next: Duration? { first < queue.count ? queue[first].due : nil }

  mutating func popDue(at now: Duration) -> Packet? {
    guard first < queue.count, queue[first].due <= now else { return nil }
    defer {
      first += 1
      // Now and then, so that a whole image on its way is not moved with each packet.
      if first > queue.count / 2 {
        queue.removeFirst(first)
        first = 0
      }
    }
    return queue[first].packet
  }

  /// The next event behind `now` that has room.
  private mutating func due(for now: Duration) -> Duration {
    guard interval > 0 else { return max(now, queue.last?.due ?? now) }
    let coming = max(event, (now - start).wholeNanoseconds / interval + 1)
    if coming > event {
      (event, inEvent) = (coming, 0)
    } else if inEvent == perEvent {
      (event, inEvent) = (event + 1, 0)
    }
    inEvent += 1
    return start + .nanoseconds(event * interval)
  }
}
