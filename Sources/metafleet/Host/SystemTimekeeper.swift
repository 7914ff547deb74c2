import FleetModel
import Glibc

/// The host's clocks.
struct SystemTimekeeper: Timekeeper {
  var now: Timestamp { Self.read(CLOCK_REALTIME) }

  var uptime: Duration { .nanoseconds(Self.read(CLOCK_MONOTONIC).nanoseconds) }

  func sleep(for duration: Duration) async throws(CancellationError) {
    do { try await Task.sleep(for: duration, clock: .continuous) } catch { throw CancellationError() }
  }

  func offsetFromUTC(at time: Timestamp) -> Duration {
    var seconds = time_t(time.nanoseconds / 1_000_000_000)
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return .zero }
    return .seconds(parts.tm_gmtoff)
  }

  private static func read(_ clock: clockid_t) -> Timestamp {
    var time = timespec()
    clock_gettime(clock, &time)
    return Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}
