/// When something is due again (MQTT contract 7.1): an interval, times of day, or never. Times of day are those of the
/// site's clocks (`gateway.timezone`); intervals are of time that passes, whatever clocks do.
public indirect enum ScheduleRule: Hashable, Sendable {
  case every(Duration)
  /// Minutes after midnight, 0 to 1439.
  case daily(minute: Int)
  /// Weekday counted from Monday = 0.
  case weekly(weekday: Int, minute: Int)
  case never
  /// One of the above that spreads, or keeps to hours of the day.
  case limited(ScheduleRule, ScheduleLimits)
  /// Whichever comes first.
  case any([ScheduleRule])

  /// How far ahead of the host's clock a time may lie that is over, for interval and for time of day: what is farther
  /// is of a clock that was wrong and was set back (fault F186).
  private static let slack = (interval: Duration.seconds(60), timeOfDay: Duration.seconds(86_400))

  /// When it is due next; nil = never. `last` is when it was last done; nil means never done, so it is due at once.
  /// What spreads does so by `who` it is done for: always alike, and the same after a restart.
  ///
  /// A host's clock that is set back does nothing twice on one day, and keeps nothing waiting for more than a day: an
  /// interval of which nobody knows how much has passed is due at once, a time of day once `last` is more than a day
  /// ahead.
  public func due(
    after last: Timestamp?, now: Timestamp, in zone: TimeZoneRules, of who: String = ""
  ) -> Timestamp? {
    switch self {
    case .never: return nil
    case .any(let rules): return rules.compactMap { $0.due(after: last, now: now, in: zone, of: who) }.min()
    case .every(let interval):
      guard let last, last - now <= Self.slack.interval else { return now }
      return last + interval
    case .daily(let minute): return next(minute, nil, after: last, now: now, in: zone) ?? now
    case .weekly(let weekday, let minute):
      return next(minute, weekday, after: last, now: now, in: zone) ?? now
    case .limited(.every(let interval), let limits):
      let spread = last.map { limits.spread(interval, since: $0, of: who) } ?? interval
      return ScheduleRule.every(spread).due(after: last, now: now, in: zone)
        .map { limits.hour(for: $0, now: now, in: zone, of: who) }
    case .limited(.daily(let minute), let limits):
      return next(minute, nil, after: last, now: now, in: zone)
        .map { limits.place(behind: $0, in: zone, of: who) } ?? now
    case .limited(.weekly(let weekday, let minute), let limits):
      return next(minute, weekday, after: last, now: now, in: zone)
        .map { limits.place(behind: $0, in: zone, of: who) } ?? now
    case .limited(let rule, _): return rule.due(after: last, now: now, in: zone, of: who)
    }
  }

  /// When it is due for the first time after a start: an interval begins with one, a time of day is waited for.
  package func first(after start: Timestamp, in zone: TimeZoneRules, of who: String) -> Timestamp? {
    switch self {
    case .any(let rules): rules.compactMap { $0.first(after: start, in: zone, of: who) }.min()
    case .every: start
    case .limited(.every, let limits): limits.hour(for: start, now: start, in: zone, of: who)
    case .daily, .weekly, .limited, .never: due(after: start, now: start, in: zone, of: who)
    }
  }

  /// The first moment from `time` on at which it may be done at all: what is tried again keeps to the hours, too.
  package func hour(for time: Timestamp, in zone: TimeZoneRules, of who: String) -> Timestamp {
    switch self {
    case .any(let rules): rules.map { $0.hour(for: time, in: zone, of: who) }.min() ?? time
    case .limited(_, let limits): limits.hour(for: time, now: time, in: zone, of: who)
    case .every, .daily, .weekly, .never: time
    }
  }

  /// The first such time behind `last`; nil where that says nothing.
  private func next(
    _ minute: Int, _ weekday: Int?, after last: Timestamp?, now: Timestamp, in zone: TimeZoneRules
  ) -> Timestamp? {
    guard let last else { return nil }
    // A clock that nobody has set yet says nothing about what is ahead of it.
    if now.isPlausible, last - now > Self.slack.timeOfDay { return nil }
    // From the day before on: a gap over midnight may have moved its time into this one.
    let today = zone.local(last).day
    for day in (today - 1)...(today + 8) where weekday.map({ $0 == Self.weekday(of: day) }) ?? true {
      let time = zone.time(day: day, minute: minute)
      if time > last { return time }
    }
    return last
  }

  /// Counted from Monday = 0; 1970-01-01 was a Thursday.
  private static func weekday(of day: Int64) -> Int { Int(((day + 3) % 7 + 7) % 7) }

  /// The longest time from one to the next, but for clocks that are put back meanwhile; nil = never.
  public var longestPause: Duration? {
    switch self {
    case .every(let interval): interval
    case .daily: .seconds(86_400)
    case .weekly: .seconds(7 * 86_400)
    case .never: nil
    case .limited(let rule, let limits): rule.longestPause.map { $0 + limits.longestRest }
    case .any(let rules): rules.compactMap(\.longestPause).min()
    }
  }

  /// The time from one to the next where nothing keeps it from that; nil = never.
  public var pace: Duration? {
    switch self {
    case .limited(let rule, _): rule.pace
    case .any(let rules): rules.compactMap(\.pace).min()
    case .every, .daily, .weekly, .never: longestPause
    }
  }

  /// Its interval, where that is all there is to it.
  public var interval: Duration? { if case .every(let interval) = self { interval } else { nil } }

  /// Its times of day, in minutes after midnight.
  var minutes: [Int] {
    switch self {
    case .every, .never: []
    case .daily(let minute), .weekly(_, let minute): [minute]
    case .limited(let rule, _): rule.minutes
    case .any(let rules): rules.flatMap(\.minutes)
    }
  }

  /// What goes for something that can be done on a contact that happens anyway: an interval may be a tenth short, which
  /// saves a contact, and as much shorter as it spreads; a time of day is never taken early.
  public var onContact: ScheduleRule {
    switch self {
    case .every(let interval): .every(interval * 9 / 10)
    case .limited(.every(let interval), let limits):
      .limited(.every(interval * max(0.1, 0.9 - (limits.jitter ?? 0) / 100)), limits.withoutJitter)
    case .limited(let rule, let limits): .limited(rule, limits.withoutJitter)
    case .any(let rules): .any(rules.map(\.onContact))
    case .daily, .weekly, .never: self
    }
  }
}
