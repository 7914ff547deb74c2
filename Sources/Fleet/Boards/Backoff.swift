/// How long to wait after a failed connection attempt.
///
/// | failures in a row | wait |
/// |---|---|
/// | 1 … 9 | 0.25 s, 0.5 s, then 1 s: what is transient passes (fault F02) |
/// | 10 … | 30 s, 60 s, 120 s, 240 s, then 300 s, each ±20 %: no hot loop, and never twenty boards in step |
///
/// With attempts that fail at once this is fewer than twelve in the first minute, and fewer after.
struct Backoff: Sendable {
  /// Failures that count as transient.
  static let transientBudget = 9

  /// What only a change elsewhere can mend is tried after one minute, two, four, eight, then every 15, each ±20 %:
  /// never given up, and no load meanwhile. `jitter` as below.
  static func delay(afterRefusals refusals: Int, jitter: Double) -> Duration {
    let base = min(60.0 * Double(1 << min(max(refusals - 1, 0), 4)), 900)
    return .milliseconds(Int64(base * (0.8 + 0.4 * jitter) * 1000))
  }

  /// `jitter` is a random number in 0..<1.
  static func delay(afterFailures failures: Int, jitter: Double) -> Duration {
    if failures <= 1 { return .milliseconds(250) }
    if failures == 2 { return .milliseconds(500) }
    if failures <= transientBudget { return .seconds(1) }
    let doublings = min(failures - transientBudget - 1, 4)
    let base = min(30.0 * Double(1 << doublings), 300)
    return .milliseconds(Int64(base * (0.8 + 0.4 * jitter) * 1000))
  }
}
