import FleetModel

/// How many commands each target may get in a minute: a bucket of tokens per target, which holds a minute's worth.
/// Pure.
struct CommandRateLimit: Sendable {
  private struct Bucket {
    var tokens: Double
    var filled: Duration
    /// Until when tokens are promised to those who were sent away.
    var promised: Duration
  }

  /// Those that are not full.
  private var buckets: [CommandTarget: Bucket] = [:]
  /// Above so many, full ones are looked for and dropped.
  private static let tidyLimit = 256
  /// Nobody is sent away for longer.
  private static let longestPromise = Duration.seconds(60)

  /// Takes a token for each of `count` commands that come as one, a minute's worth at most. Nil when there were so
  /// many, else how long to wait: whoever is sent away is given a time of its own, so that a crowd does not come back
  /// all at once.
  mutating func take(
    _ count: Int = 1, for target: CommandTarget, perMinute: Int, at now: Duration
  ) -> Duration? {
    let capacity = Double(max(1, perMinute))
    let interval = Duration.seconds(60) / max(1, perMinute)
    var bucket = buckets[target] ?? Bucket(tokens: capacity, filled: now, promised: now)
    bucket.tokens = min(capacity, bucket.tokens + (now - bucket.filled) / interval)
    bucket.filled = now
    defer {
      buckets[target] = bucket
      if buckets.count > Self.tidyLimit { tidy(perMinute: perMinute, at: now) }
    }
    let wanted = min(Double(count), capacity)
    // A hair less than that, because tokens grow in fractions that are not exact.
    if bucket.tokens >= wanted - 1e-6 {
      bucket.tokens = max(0, bucket.tokens - wanted)
      return nil
    }
    bucket.promised = max(now + interval * (wanted - bucket.tokens), bucket.promised + interval)
    bucket.promised = min(bucket.promised, now + max(interval, Self.longestPromise))
    return bucket.promised - now
  }

  private mutating func tidy(perMinute: Int, at now: Duration) {
    buckets = buckets.filter { now - $0.value.filled < .seconds(60) || $0.value.promised > now }
  }
}
