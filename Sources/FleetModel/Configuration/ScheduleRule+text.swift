/// As it is written.
extension ScheduleRule {
  /// As they are written, from Monday.
  static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
  /// What is rarer is never.
  static let longestInterval = Duration.seconds(366 * 86_400)
  /// What is more often is a stream's pace, where its declaration allows it.
  public static let leastInterval = Duration.seconds(1)

  /// Reads `15m`, `daily 03:00`, `weekly sun 03:00` or `never`. Behind an interval or a time of day may stand how far
  /// it spreads, `10%`, and behind an interval the hours that it keeps to: `15m 10% 08:00-12:00 14:00-18:00`.
  public static func parse(_ text: String, atLeast least: Duration = leastInterval) -> ScheduleRule? {
    var words = text.split(separator: " ").map(String.init)
    let limits = ScheduleLimits(endOf: &words)
    guard let rule = plain(words, atLeast: least) else { return nil }
    guard let limits else { return rule }
    switch rule {
    case .every: break
    // Its time says when it is done.
    case .daily, .weekly: guard limits.hours.isEmpty else { return nil }
    case .never, .limited, .any: return nil
    }
    return .limited(rule, limits)
  }

  private static func plain(_ words: [String], atLeast least: Duration) -> ScheduleRule? {
    switch (words.first, words.count) {
    case ("never", 1): return .never
    case ("daily", 2): return minute(words[1]).map { .daily(minute: $0) }
    case ("weekly", 3):
      guard let weekday = weekdays.firstIndex(of: words[1]), let minute = minute(words[2]) else { return nil }
      return .weekly(weekday: weekday, minute: minute)
    case (let word?, 1):
      guard let interval = DurationText.parse(word), interval >= least, interval <= longestInterval else {
        return nil
      }
      return .every(interval)
    default: return nil
    }
  }

  /// Reads `HH:MM`: minutes after midnight.
  static func minute(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 && !$0.hasPrefix("+") }),
      let hour = Int(parts[0]), let minute = Int(parts[1]), (0..<24).contains(hour), (0..<60).contains(minute)
    else { return nil }
    return hour * 60 + minute
  }

  /// A minute of the day as a clock shows it.
  static func text(_ minute: Int) -> String {
    [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }

  /// As it is read; several rules one after the other.
  public var text: String {
    switch self {
    case .every(let interval): DurationText.format(interval)
    case .daily(let minute): "daily \(Self.text(minute))"
    case .weekly(let weekday, let minute):
      "weekly \(Self.weekdays[weekday % Self.weekdays.count]) \(Self.text(minute))"
    case .never: "never"
    case .limited(let rule, let limits): "\(rule.text) \(limits.text)"
    case .any(let rules): rules.map(\.text).joined(separator: ", ")
    }
  }
}

/// As the file says it.
extension ScheduleRule {
  /// Reads a checked value: one rule, or a list of them; nil where there is none.
  public init?(document: JSONValue) {
    let rules = (document.array ?? [document]).compactMap {
      $0.string.flatMap { Self.parse($0, atLeast: StreamDefinition.leastPollPeriod) }
    }
    guard let first = rules.first else { return nil }
    self = rules.count == 1 ? first : .any(rules)
  }

  /// Its value.
  public var document: JSONValue {
    if case .any(let rules) = self { .array(rules.map(\.document)) } else { .string(text) }
  }
}
