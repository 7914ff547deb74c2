/// When packets came that the kernel stamped with the wall clock, which somebody may set. Nanoseconds everywhere.
struct PacketClock: Sendable {
  /// By how much the wall clock may gain or lose between two looks without having been set.
  private static let slack: Int64 = 10_000_000

  private var wall: Int64 = 0
  /// What the wall clock is ahead of one that nobody sets.
  private var lead: Int64?
  /// The wall clock's time when it was found to have been set: earlier stamps may be of another time.
  private var setAt = Int64.min

  /// Takes note of both clocks at a look at a socket.
  mutating func noted(wall: Int64, monotonic: Int64) {
    let lead = wall - monotonic
    if let before = self.lead, abs(lead - before) > Self.slack { setAt = wall }
    (self.wall, self.lead) = (wall, lead)
  }

  /// When a packet of that look came, by the wall clock; just then, where the kernel noted nothing that can be relied
  /// on.
  func arrival(ofStamp stamp: Int64) -> Int64 {
    stamp == 0 || stamp < setAt ? wall : min(stamp, wall)
  }
}
