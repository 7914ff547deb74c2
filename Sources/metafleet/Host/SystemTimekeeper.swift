import EventLoops
import FleetModel
import Glibc

/// Time as the host has it.
struct SystemTimekeeper: Timekeeper {
  /// Where sleepers are woken.
  private let loop: EventLoop
  private let start = ContinuousClock.now

  /// Has sleepers woken by `loop`, which must not be stopped before they are awake.
  init(wakingOn loop: EventLoop) { self.loop = loop }

  var now: Timestamp { .system }

  var uptime: Duration { start.duration(to: .now) }

  func sleep(for duration: Duration) async throws(CancellationError) {
    try await loop.sleep(for: duration)
  }
}

extension Timestamp {
  /// The host's wall clock.
  static var system: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
  }
}
