/// A link to a bootloader: what is on its way in either direction, and what waits for flash. A value.
struct BootloaderLink: Sendable {
  /// What a host writes.
  enum Packet: Equatable, Sendable {
    case control([UInt8])
    case data([UInt8])
  }

  private let traits: BootloaderTraits.Link
  /// The host switched the control point's notifications on.
  var isSubscribed = false
  var incoming: EventLane<Packet>
  var outgoing: EventLane<[UInt8]>
  /// When flash has taken all packets of an image that came.
  private var flashIsFree: Duration

  init(_ traits: BootloaderTraits.Link, at now: Duration) {
    self.traits = traits
    incoming = EventLane(traits, at: now)
    outgoing = EventLane(traits, at: now)
    flashIsFree = now
  }

  /// When the next packet arrives, in either direction.
  var next: Duration? {
    guard let one = incoming.next, let other = outgoing.next else { return incoming.next ?? outgoing.next }
    return min(one, other)
  }

  /// Whether a packet of an image finds room to wait for flash in, where that is for `limit` packets if that is less
  /// than it should be.
  mutating func takesImage(at now: Duration, limit: Int?) -> Bool {
    guard let buffer = [traits.buffer, limit].compactMap({ $0 }).min() else { return true }
    let free = max(flashIsFree, now)
    guard free - now <= traits.writing * (buffer - 1) else { return false }
    flashIsFree = free + traits.writing
    return true
  }
}
