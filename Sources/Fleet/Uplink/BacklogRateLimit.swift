import FleetModel

/// How fast the outbox is emptied: what comes in while there is a connection passes at once, a backlog at so many
/// messages a second on top, so that catching up after an outage does not swamp the broker and its consumers.
struct BacklogRateLimit: Sendable {
  private var perSecond: Double
  private var credit: Double
  private var last: Duration

  init(perSecond: Int, at uptime: Duration) {
    self.perSecond = Double(max(1, perSecond))
    credit = Double(max(1, perSecond))
    last = uptime
  }

  /// A backlog goes at so many messages a second from now on.
  mutating func change(perSecond: Int) { self.perSecond = Double(max(1, perSecond)) }

  /// There is a new connection: what came in before it is backlog.
  mutating func opened(at uptime: Duration) { self = BacklogRateLimit(perSecond: Int(perSecond), at: uptime) }

  /// New rows pay for their own passage, however many come at once.
  mutating func entered(_ rows: Int) { credit += Double(rows) }

  /// How many rows may go now.
  mutating func allowance(at uptime: Duration) -> Int {
    credit = min(credit + (uptime - last).inSeconds * perSecond, max(credit, 2 * perSecond))
    last = uptime
    return Int(max(0, credit))
  }

  mutating func spent(_ rows: Int) { credit -= Double(rows) }

  /// When the next row may go, if none may now.
  var wait: Duration { .milliseconds(Int64(max(1, (1 - credit) / perSecond * 1000))) }
}
