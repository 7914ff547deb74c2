/// When something is due again (MQTT contract 7.1): an interval, times of day, or never. Times of day are those of the
/// site's clocks (`gateway.timezone`); intervals are of time that passes, whatever clocks do.
public indirect enum ScheduleRule: Hashable, Sendable {
  case every(Duration)
  /// Minutes after midnight, 0 to 1439.
  case daily(minute: Int)
  /// Weekday counted from Monday = 0.
  case weekly(weekday: Int, minute: Int)
  case never
  /// Whichever comes first.
  case any([ScheduleRule])

  /// As they are written, from Monday.
  static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
  /// What is more often is a stream's; what is rarer is never.
  private static let intervals = Duration.seconds(1) ... .seconds(366 * 86_400)

  /// Reads `15m`, `daily 03:00`, `weekly sun 03:00` or `never`.
  public static func parse(_ text: String) -> ScheduleRule? {
    let words = text.split(separator: " ").map(String.init)
    switch (words.first, words.count) {
    case ("never", 1): return .never
    case ("daily", 2): return clock(words[1]).map { .daily(minute: $0) }
    case ("weekly", 3):
      guard let weekday = weekdays.firstIndex(of: words[1]), let minute = clock(words[2]) else { return nil }
      return .weekly(weekday: weekday, minute: minute)
    case (_, 1):
      guard let interval = DurationText.parse(text), intervals.contains(interval) else { return nil }
      return .every(interval)
    default: return nil
    }
  }

  private static func clock(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 && !$0.hasPrefix("+") }),
      let hour = Int(parts[0]),
      let minute = Int(parts[1]), (0..<24).contains(hour), (0..<60).contains(minute)
    else { return nil }
    return hour * 60 + minute
  }

  /// How far ahead of the host's clock a time may lie that is over, for interval and for time of day: what is farther
  /// is of a clock that was wrong and was set back (fault F186).
  private static let slack = (interval: Duration.seconds(60), timeOfDay: Duration.seconds(86_400))

  /// When it is due next; nil = never. `last` is when it was last done; nil means never done, so it is due at once.
  ///
  /// A host's clock that is set back does nothing twice on one day, and keeps nothing waiting for more than a day: an
  /// interval of which nobody knows how much has passed is due at once, a time of day once `last` is more than a day
  /// ahead.
  public func due(after last: Timestamp?, now: Timestamp, in zone: TimeZoneRules) -> Timestamp? {
    switch self {
    case .never: return nil
    case .any(let rules): return rules.compactMap { $0.due(after: last, now: now, in: zone) }.min()
    case .every(let interval):
      guard let last, last - now <= Self.slack.interval else { return now }
      return last + interval
    case .daily(let minute): return next(minute, nil, after: last, now: now, in: zone)
    case .weekly(let weekday, let minute): return next(minute, weekday, after: last, now: now, in: zone)
    }
  }

  private func next(
    _ minute: Int, _ weekday: Int?, after last: Timestamp?, now: Timestamp, in zone: TimeZoneRules
  ) -> Timestamp {
    guard let last else { return now }
    // A clock that nobody has set yet says nothing about what is ahead of it.
    if now.isPlausible, last - now > Self.slack.timeOfDay { return now }
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
    case .any(let rules): rules.compactMap(\.longestPause).min()
    }
  }

  /// Its times of day, in minutes after midnight.
  var minutes: [Int] {
    switch self {
    case .every, .never: []
    case .daily(let minute), .weekly(_, let minute): [minute]
    case .any(let rules): rules.flatMap(\.minutes)
    }
  }

  /// What goes for something that can be done on a contact that happens anyway: an interval may be a tenth short, which
  /// saves a contact; a time of day is never taken early.
  public var onContact: ScheduleRule {
    switch self {
    case .every(let interval): .every(interval * 9 / 10)
    case .any(let rules): .any(rules.map(\.onContact))
    case .daily, .weekly, .never: self
    }
  }
}

/// As the file says it.
extension ScheduleRule {
  /// Reads a checked value: one rule, or a list of them; nil where there is none.
  init?(document: JSONValue) {
    let rules = (document.array ?? [document]).compactMap { $0.string.flatMap { Self.parse($0) } }
    guard let first = rules.first else { return nil }
    self = rules.count == 1 ? first : .any(rules)
  }

  /// Its value.
  var document: JSONValue {
    switch self {
    case .every(let interval): .duration(interval)
    case .daily(let minute): .string("daily \(Self.text(minute))")
    case .weekly(let weekday, let minute):
      .string("weekly \(Self.weekdays[weekday % Self.weekdays.count]) \(Self.text(minute))")
    case .never: "never"
    case .any(let rules): .array(rules.map(\.document))
    }
  }

  /// A minute of the day as a clock shows it.
  static func text(_ minute: Int) -> String {
    [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}
