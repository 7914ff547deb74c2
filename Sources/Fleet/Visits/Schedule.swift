import FleetModel

/// When a board is due for its next contact (MQTT contract 7.3, 7.4). Pure, and the same after a restart: the spread is
/// drawn from who the board is and when it was visited last.
struct Schedule: Hashable, Sendable {
  /// What is known of a board.
  struct Facts: Hashable, Sendable {
    /// When a contact last did all that it was for.
    var lastContact: Timestamp?
    /// When its log is expected to be as full as it may become.
    var logLimit: Timestamp?
    /// When a download that failed is tried again.
    var retry: Timestamp?
    var batteryPercent: Int?
  }

  var board: BoardID
  var visit: VisitPolicy
  /// How often its streams are read; nil when none are.
  var readPeriod: Duration?
  /// Whether its battery is to be watched.
  var watchesBattery = true

  /// From this charge on, the log is downloaded twice as often: they may be the last (fault F51).
  static let lowBattery = 20
  /// A board that would need more contacts than this cannot be helped by contacts.
  static let leastPause = Duration.seconds(60)
  /// A board without any other reason is asked how full its battery is (MQTT contract 7.3).
  static let longestPause = Duration.seconds(86_400)

  /// The planned time between two contacts; nil when nothing asks for any.
  var period: Duration? {
    [visit.every, readPeriod, watchesBattery ? Self.longestPause : nil].compactMap { $0 }.min()
  }

  /// The next contact; nil = none by itself. `offset` is the host's distance from UTC.
  func due(_ facts: Facts, now: Timestamp, offset: Duration) -> Timestamp? {
    guard period != nil || facts.retry != nil else { return nil }
    guard let last = facts.lastContact else {
      return period == nil ? facts.retry : hour(atOrAfter: now, offset: offset)
    }
    let isLow = facts.batteryPercent.map { $0 <= Self.lowBattery } ?? false
    let planned: [Timestamp?] = [
      visit.every.map { last + spread($0, since: last) / (isLow ? 2 : 1) }, readPeriod.map { last + $0 },
      watchesBattery ? last + Self.longestPause : nil,
      visit.download ? facts.logLimit.map { max($0, last + Self.leastPause) } : nil, facts.retry,
    ]
    return planned.compactMap { $0 }.min().map { hour(atOrAfter: $0, offset: offset) }
  }

  /// From when on a contact that was due is missed.
  func tolerance() -> Duration { max(Self.leastPause, (visit.every ?? .zero) * (visit.jitter / 100)) }

  private func spread(_ every: Duration, since last: Timestamp) -> Duration {
    var random = SeededGenerator(
      seed: StableHash.of(Array("\(board) \(last.milliseconds)".utf8)))
    return every * (1 + visit.jitter / 100 * (2 * random.fraction() - 1))
  }

  /// The first moment in the hours of visits.
  private func hour(atOrAfter time: Timestamp, offset: Duration) -> Timestamp {
    guard !visit.hours.isEmpty else { return time }
    let minute = (time + offset).minuteOfDay
    guard !visit.hours.contains(where: { $0.contains(minute: minute) }) else { return time }
    let wait = visit.hours.map { ($0.start - minute + 1_440) % 1_440 }.min() ?? 0
    let begun = (time + offset).nanoseconds % 60_000_000_000
    return time + .seconds(wait * 60) - .nanoseconds(begun < 0 ? begun + 60_000_000_000 : begun)
  }
}

extension Timestamp {
  /// Minutes after midnight, where this is local time.
  fileprivate var minuteOfDay: Int {
    let minutes = nanoseconds / 60_000_000_000 - (nanoseconds % 60_000_000_000 < 0 ? 1 : 0)
    return Int(((minutes % 1_440) + 1_440) % 1_440)
  }
}
