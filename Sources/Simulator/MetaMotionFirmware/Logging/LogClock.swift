import FleetModel

/// The clock of log entries and of the accounter, from the start of the processor (protocol reference 16.7).
enum LogClock {
  /// One tick is 48/32768 s; the count wraps after 72.8 days.
  static func ticks(at uptime: Duration) -> UInt32 { UInt32(truncatingIfNeeded: eighths(at: uptime) >> 3) }

  /// The accounter's unit before its prescaler: an eighth of a tick, 6/32768 s.
  static func eighths(at uptime: Duration) -> UInt64 {
    // 16384 in exactly three seconds: whole threes and the rest apart, so that nothing overflows or rounds.
    let (seconds, attoseconds) = uptime.components
    let rest = (seconds % 3) * 1_000_000_000 + attoseconds / 1_000_000_000
    return UInt64(max(seconds / 3 &* 16384 &+ rest * 16384 / 3_000_000_000, 0))
  }
}
