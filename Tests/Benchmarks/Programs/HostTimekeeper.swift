import FleetModel
import Glibc

/// The host's clocks, as the daemon uses them.
struct HostTimekeeper: Timekeeper {
  private let start = ContinuousClock.now

  var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  var uptime: Duration { start.duration(to: .now) }

  func sleep(for duration: Duration) async throws(CancellationError) {
    do { try await Task.sleep(for: duration, clock: .continuous) } catch { throw CancellationError() }
  }
}
