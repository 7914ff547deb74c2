/// So many of something in any stretch of time, and no more. Pure; times are uptimes.
struct SlidingWindow: Sendable {
  /// When the last ones were, oldest first; never more than the limit.
  private var times: [Duration] = []

  /// Whether one more may be now; it counts then.
  mutating func take(limit: Int, in span: Duration, at uptime: Duration) -> Bool {
    times.removeAll { uptime - $0 >= span }
    guard times.count < limit else { return false }
    times.append(uptime)
    return true
  }
}
