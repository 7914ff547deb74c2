import FleetModel

/// The time by which what is kept is judged to be old enough to go. A clock that is set forward makes everything old at
/// once, and what was deleted does not come back when the clock is right again: where no time service vouches for it,
/// such a jump counts a day later. Pure.
struct RetentionClock: Hashable, Sendable {
  /// By how much the clock may gain between two looks without having been set.
  static let slack = Duration.seconds(60)
  /// How long a clock must have stood ahead, by uptime, before it is believed.
  static let probation = Duration.seconds(86_400)
  /// What is kept for the next run may be older by so much.
  static let markPeriod = Duration.seconds(600)

  private var believed: Timestamp?
  private var uptime = Duration.zero
  private var aheadSince: Duration?
  /// What is kept of it for the next run.
  private var mark: Timestamp?

  /// What has to be kept for the next run, which could not tell otherwise that a clock stands ahead since the last one.
  var due: Timestamp? {
    guard let believed, let mark, believed >= mark, believed - mark < Self.markPeriod else { return believed }
    return nil
  }

  /// That much is kept.
  mutating func kept(_ time: Timestamp) { mark = time }

  /// An earlier run has last recorded something at `latest`; it tells nothing where it had no clock.
  mutating func begin(after latest: Timestamp?, uptime: Duration) {
    guard believed == nil, let latest, latest.isPlausible else { return }
    (believed, self.uptime) = (latest, uptime)
  }

  /// The clock shows `now`. A clock that was set back makes nothing older, so it is always believed. By one that nobody
  /// has set nothing is old, and nothing is learned of it: kept for the next run, it would tell that nothing.
  mutating func time(_ now: Timestamp, uptime: Duration, isSynced: Bool) -> Timestamp {
    guard now.isPlausible else { return Timestamp(nanoseconds: .min) }
    let expected = (believed ?? now) + (uptime - self.uptime)
    self.uptime = uptime
    guard believed != nil, now - expected > Self.slack, !isSynced else {
      (believed, aheadSince) = (now, nil)
      return now
    }
    let since = aheadSince ?? uptime
    guard uptime - since < Self.probation else {
      (believed, aheadSince) = (now, nil)
      return now
    }
    (believed, aheadSince) = (expected, since)
    return expected
  }
}
