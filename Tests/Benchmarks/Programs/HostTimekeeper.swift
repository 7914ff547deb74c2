import EventLoops
import FleetModel
import Glibc

/// The host's clocks, as the daemon uses them.
struct HostTimekeeper: Timekeeper {
  private let loop: EventLoop
  private let start = ContinuousClock.now

  /// Has sleepers woken by `loop`.
  init(wakingOn loop: EventLoop) { self.loop = loop }

  var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  var uptime: Duration { start.duration(to: .now) }

  func sleep(for duration: Duration) async throws(CancellationError) {
    try await loop.sleep(for: duration)
  }
}
