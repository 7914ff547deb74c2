/// When something is due again (MQTT contract 7.1): an interval, times of day, or never.
public indirect enum ScheduleRule: Hashable, Sendable {
  case every(Duration)
  /// Minutes after midnight in the host's time zone.
  case daily(minute: Int)
  /// Weekday counted from Monday = 0.
  case weekly(weekday: Int, minute: Int)
  case never
  /// Whichever comes first.
  case any([ScheduleRule])

  private static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

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
      guard let interval = DurationText.parse(text), interval > .zero else { return nil }
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

  /// When it is due next. `last` is when it was last done; nil means never done, so an interval is due at once.
  /// `offset` is the host's distance from UTC. nil = never.
  public func due(after last: Timestamp?, now: Timestamp, offset: Duration) -> Timestamp? {
    switch self {
    case .every(let interval): return last.map { $0 + interval } ?? now
    case .never: return nil
    case .daily(let minute):
      return next(minute: minute, period: 1, phase: 0, from: last ?? now, offset: offset)
    case .weekly(let weekday, let minute):
      // 1970-01-01 was a Thursday, the fourth day counted from Monday.
      return next(minute: minute, period: 7, phase: Int64(weekday + 4) % 7, from: last ?? now, offset: offset)
    case .any(let rules): return rules.compactMap { $0.due(after: last, now: now, offset: offset) }.min()
    }
  }

  private func next(minute: Int, period: Int64, phase: Int64, from start: Timestamp, offset: Duration)
    -> Timestamp
  {
    let local = (start + offset).nanoseconds / 1_000_000_000
    var day = local / 86_400 - (local < 0 ? 1 : 0)
    // Days before 1970 have negative numbers, and so would their remainders.
    while (day % period + period) % period != phase || day * 86_400 + Int64(minute) * 60 <= local { day += 1 }
    return Timestamp(milliseconds: (day * 86_400 + Int64(minute) * 60) * 1_000) - offset
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
