/// Whether a loop rests between two looks at its descriptors, so that many small packets share one wake-up.
///
/// Measured on 200 streams: a rest of 10 ms costs less than half the processor time. Nothing is lost, because
/// the kernel holds the packets; jobs and timers end the rest at once.
struct Coalescing: Sendable {
  /// nil: never rest.
  var interval: Duration?

  /// Somebody waits for an answer on one of the descriptors, for example of a D-Bus call.
  var urgentWaits = 0

  /// Whether the last look found traffic.
  private var hasTraffic = false

  /// Whether the next look takes only what is there already, because a rest is due once that is all.
  var isCollecting: Bool { hasTraffic && interval != nil }

  /// Takes note of a look at the descriptors. Returns how long to rest now, if at all.
  mutating func looked(foundTraffic: Bool) -> Duration? {
    defer { hasTraffic = foundTraffic }
    return hasTraffic && !foundTraffic && urgentWaits == 0 ? interval : nil
  }
}
