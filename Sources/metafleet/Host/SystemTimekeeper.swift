import FleetModel
import Glibc

/// Time as the host has it.
struct SystemTimekeeper: Timekeeper {
  private let start = ContinuousClock.now

  var now: Timestamp { .system }

  var uptime: Duration { start.duration(to: .now) }

  func sleep(for duration: Duration) async throws(CancellationError) {
    do {
      try await Task.sleep(for: duration, clock: .continuous)
    } catch {
      // The clock throws nothing else.
      throw CancellationError()
    }
  }

  func offsetFromUTC(at time: Timestamp) -> Duration {
    var seconds = time_t(time.nanoseconds / 1_000_000_000)
    var local = tm()
    return localtime_r(&seconds, &local) == nil ? .zero : .seconds(local.tm_gmtoff)
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
