/// What people write behind a schedule, how far it spreads and its hours, and how it is written here. Pure.
extension ScheduleAdvice {
  private static let fillers: Set<String> = [
    "from", "between", "within", "during", "only", "in", "hours", "jitter", "spread", "with", "by", "outside",
    "except",
    "not", "quiet",
  ]
  private static let inverting: Set<String> = ["outside", "except", "not", "quiet"]

  /// `15m from 8 to 18`, `15m ±10%`, `08:00-18:00 15m`; nil where nothing of it stands there.
  static func limited(_ words: [String]) -> String? {
    var rest = words.filter { !fillers.contains($0) }
    let jitter = takeJitter(&rest)
    var hours = takeHours(&rest, joinedByAnd: words.contains("between"))
    guard jitter != nil || hours != nil, let rule = rule(rest) else { return nil }
    if !inverting.isDisjoint(with: words) { hours = hours.map { HoursOfDay(start: $0.end, end: $0.start) } }
    let limits = ScheduleLimits(jitter: jitter, hours: [hours].compactMap { $0 })
    switch rule {
    case .every: return "did you mean \(ScheduleRule.limited(rule, limits).text)?"
    case .daily where hours == nil, .weekly where hours == nil:
      return "did you mean \(ScheduleRule.limited(rule, limits).text)?"
    case .daily, .weekly: return "a time of day needs no hours; did you mean \(rule.text)?"
    case .never, .limited, .any: return nil
    }
  }

  private static func rule(_ words: [String]) -> ScheduleRule? {
    let written = words.joined(separator: " ")
    if let rule = ScheduleRule.parse(written) { return rule }
    guard let meant = rules(words), meant.count == 1 else { return nil }
    return ScheduleRule.parse(meant[0])
  }

  private static func takeJitter(_ words: inout [String]) -> Double? {
    for (index, word) in words.enumerated() {
      guard let jitter = PercentText.parse(String(word.drop { "±+-/~".contains($0) })) else { continue }
      words.remove(at: index)
      return jitter
    }
    return nil
  }

  /// `8-18`, or `8 to 18`.
  private static func takeHours(_ words: inout [String], joinedByAnd: Bool) -> HoursOfDay? {
    for (index, word) in words.enumerated() {
      let ends = word.replacing("–", with: "-").split(separator: "-", omittingEmptySubsequences: false)
        .map { clock(String($0)) }
      if ends.count == 2, let start = ends[0], let end = ends[1] {
        words.remove(at: index)
        return HoursOfDay(start: start, end: end)
      }
      let joints: Set<String> =
        joinedByAnd ? ["to", "until", "till", "-", "–", "and"] : ["to", "until", "till", "-", "–"]
      guard index + 2 < words.count, joints.contains(words[index + 1]), let start = clock(word),
        let end = clock(words[index + 2])
      else { continue }
      words.removeSubrange(index...(index + 2))
      return HoursOfDay(start: start, end: end)
    }
    return nil
  }
}
