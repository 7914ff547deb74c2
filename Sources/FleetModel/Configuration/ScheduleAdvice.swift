/// What people write where a schedule is wanted, and how it is written here. Pure.
enum ScheduleAdvice {
  /// Words of the file that say the same as `text`, as a hint; nil where "must be …" says it all.
  static func hint(for text: String, atLeast least: Duration = ScheduleRule.leastInterval) -> String? {
    if DurationText.parse(text) != nil {
      return
        "intervals are from \(DurationText.format(least)) to \(DurationText.format(ScheduleRule.longestInterval))"
    }
    let words = words(text)
    if let macro = words.first, macro.hasPrefix("@") { return self.macro(macro) }
    if let hint = cron(words) { return hint }
    if let hint = single(words) { return hint }
    if let hint = limited(words) { return hint }
    guard let rules = rules(words) else { return nil }
    return "did you mean \(written(rules))?"
  }

  /// The same where only an interval can be.
  static func intervalHint(for text: String) -> String? {
    guard DurationText.parse(text) == nil else { return nil }
    if let interval = interval(words(text)) { return "did you mean \(interval)?" }
    let isTimeOfDay =
      switch ScheduleRule.parse(text) {
      case .daily?, .weekly?: true
      default: hint(for: text).map { $0.contains("daily ") || $0.contains("weekly ") } ?? false
      }
    guard isTimeOfDay else { return nil }
    return "only intervals such as 60s can be here; times of day can be in stream, visit.every and schedules"
  }

  private static func words(_ text: String) -> [String] {
    text.lowercased().split { $0 == " " || $0 == "," || $0 == "\t" }.map(String.init)
  }

  private static func written(_ rules: [String]) -> String {
    rules.count == 1 ? rules[0] : "[\(rules.joined(separator: ", "))]"
  }
}

// Single words.
extension ScheduleAdvice {
  private static let names: [String: String] = [
    "hourly": "1h", "minutely": "1m", "nightly": "daily 03:00", "midnight": "daily 00:00",
    "noon": "daily 12:00", "off": "never", "none": "never", "no": "never", "false": "never",
    "disabled": "never",
  ]

  private static func single(_ words: [String]) -> String? {
    switch words {
    case ["daily"], ["everyday"], ["every", "day"]: return "say when: daily 03:00, or 24h for an interval"
    case ["weekly"], ["every", "week"]: return "say when: weekly sun 03:00, or 7d for an interval"
    case ["monthly"], ["every", "month"]: return "there are no months; write weekly sun 03:00, or 30d"
    case ["yearly"], ["annually"]: return "there are no years; write an interval such as 365d"
    default:
      guard words.count == 1, let meant = names[words[0]] else { return nil }
      return "did you mean \(meant)?"
    }
  }

  private static func macro(_ word: String) -> String {
    let meant = [
      "@hourly": "1h", "@daily": "daily 00:00", "@midnight": "daily 00:00", "@weekly": "weekly sun 00:00",
    ]
    if let meant = meant[word] { return "did you mean \(meant)?" }
    return "words of cron are not taken; write daily 03:00, weekly sun 03:00, or an interval such as 24h"
  }
}

// Lines of crontabs: minute, hour, day of the month, month, day of the week.
extension ScheduleAdvice {
  private static func cron(_ words: [String]) -> String? {
    let isField = { (word: String) in word.allSatisfy { $0.isASCII && ($0.isNumber || "*/-,".contains($0)) } }
    guard words.count == 5, words.prefix(4).allSatisfy(isField) else { return nil }
    let refused = "lines of crontabs are not taken"
    guard words[2] == "*", words[3] == "*", let rule = cron(words[0], words[1], day: words[4]) else {
      return "\(refused); write daily 03:00, weekly sun 03:00, or an interval such as 24h"
    }
    return "\(refused); did you mean \(rule)?"
  }

  private static func cron(_ minute: String, _ hour: String, day: String) -> String? {
    let isEveryDay = day == "*"
    if isEveryDay, hour == "*", minute == "*" { return "1m" }
    if isEveryDay, hour == "*", minute.hasPrefix("*/"), let step = Int(minute.dropFirst(2)), step > 0 {
      return "\(step)m"
    }
    guard let minute = Int(minute), (0..<60).contains(minute) else { return nil }
    if isEveryDay, hour == "*" { return "1h" }
    if isEveryDay, hour.hasPrefix("*/"), let step = Int(hour.dropFirst(2)), step > 0 { return "\(step)h" }
    guard let hour = Int(hour), (0..<24).contains(hour) else { return nil }
    let time = ScheduleRule.text(hour * 60 + minute)
    if isEveryDay { return "daily \(time)" }
    // Sunday is 0 and 7.
    let number = Int(day).flatMap { (0...7).contains($0) ? ($0 + 6) % 7 : nil }
    return (number.map { ScheduleRule.weekdays[$0] } ?? weekday(day)).map { "weekly \($0) \(time)" }
  }
}

// Sentences: days and times in any order, or an interval.
extension ScheduleAdvice {
  private static let fillers: Set<String> = [
    "every", "each", "at", "on", "and", "the", "o'clock", "day", "days",
  ]
  private static let units: [String: String] = [
    "second": "s", "seconds": "s", "sec": "s", "secs": "s", "minute": "m", "minutes": "m", "min": "m",
    "mins": "m", "hour": "h", "hours": "h", "hrs": "h", "hr": "h", "day": "d", "days": "d", "week": "w",
    "weeks": "w",
  ]

  static func rules(_ words: [String]) -> [String]? {
    if let interval = interval(words) { return [interval] }
    var (days, minutes) = ([String](), [Int]())
    var rest = words.filter { !fillers.contains($0) }[...]
    while let word = rest.popFirst() {
      if let day = weekday(word) {
        days.append(day)
      } else if word == "weekdays" {
        days += ScheduleRule.weekdays.prefix(5)
      } else if word == "weekends" || word == "weekend" {
        days += ScheduleRule.weekdays.suffix(2)
      } else if let half = rest.first, ["am", "pm"].contains(half), let minute = clock(word + half) {
        rest.removeFirst()
        minutes.append(minute)
      } else if let minute = clock(word) {
        minutes.append(minute)
      } else if word != "daily", word != "weekly", word != "everyday" {
        return nil
      }
    }
    guard !minutes.isEmpty else { return nil }
    if days.isEmpty {
      // A week has a day.
      let start = words.contains("weekly") ? "weekly sun" : "daily"
      return minutes.map { "\(start) \(ScheduleRule.text($0))" }
    }
    return days.flatMap { day in minutes.map { "weekly \(day) \(ScheduleRule.text($0))" } }
  }

  /// `every 15m`, `15 minutes`, `every hour`.
  private static func interval(_ words: [String]) -> String? {
    let rest = words.filter { $0 != "every" && $0 != "each" }
    if rest.count == 1, rest.count < words.count, let unit = units[rest[0]] { return "1\(unit)" }
    if rest.count == 2, Int(rest[0]) != nil, let unit = units[rest[1]] { return valid("\(rest[0])\(unit)") }
    let joined = rest.joined()
    return joined == words.joined(separator: " ") ? nil : valid(joined)
  }

  private static func valid(_ interval: String) -> String? {
    if case .every? = ScheduleRule.parse(interval) { interval } else { nil }
  }

  /// `sun`, `sunday`, `sundays`, `thurs`.
  static func weekday(_ word: String) -> String? {
    let whole = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    let singular = word.hasSuffix("days") ? String(word.dropLast()) : word
    guard singular.utf8.count >= 3, let index = whole.firstIndex(where: { $0.hasPrefix(singular) }) else {
      return nil
    }
    return ScheduleRule.weekdays[index]
  }

  /// Minutes after midnight of `3`, `3:00`, `03:00:00`, `3am`, `3.30`, `0300`, `24:00`.
  static func clock(_ word: String) -> Int? {
    var text = Substring(word)
    let isAfternoon = text.hasSuffix("pm")
    let isHalf = isAfternoon || text.hasSuffix("am")
    if isHalf { text = text.dropLast(2) }
    if text.hasSuffix("h") || text.hasSuffix("z") { text = text.dropLast() }
    var parts = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "." }.map(String.init)
    if parts.count == 1, parts[0].utf8.count == 4 {
      parts = [String(parts[0].prefix(2)), String(parts[0].suffix(2))]
    }
    let numbers = parts.map {
      $0.utf8.count <= 2 && $0.allSatisfy { $0.isASCII && $0.isNumber } ? Int($0) : nil
    }
    guard (1...3).contains(numbers.count), let hour = numbers[0],
      let minute = numbers.count > 1 ? numbers[1] : 0, (0..<60).contains(minute)
    else { return nil }
    guard isHalf else {
      return hour == 24 && minute == 0 ? 0 : (0..<24).contains(hour) ? hour * 60 + minute : nil
    }
    return (1...12).contains(hour) ? (hour % 12 + (isAfternoon ? 12 : 0)) * 60 + minute : nil
  }
}

// Parts of a day.
extension ScheduleAdvice {
  /// What to write instead of `8-18` or `08:00 - 24:00`.
  static func hoursHint(for text: String) -> String? {
    let ends = text.lowercased().replacing("to", with: "-").replacing("–", with: "-").split(separator: "-")
      .map { clock(String($0.filter { $0 != " " })) }
    guard ends.count == 2, let start = ends[0], let end = ends[1] else { return nil }
    return "did you mean \(HoursOfDay(start: start, end: end).text)?"
  }
}
