import FleetModel

extension ValueForm<ScheduleRule> {
  /// One rule or a list of them.
  static let schedule = ValueForm(
    shape: .value(
      words: "an interval such as 15m, daily HH:MM, weekly <mon…sun> HH:MM, never, or a list of them",
      schema: ["anyOf": [["type": "string"], ["type": "array", "items": ["type": "string"]]]])
  ) { node, path, reading in
    guard case .sequence(let elements) = node.content else { return rule.read(node, path, &reading) }
    let rules = elements.enumerated().compactMap { rule.read($1, "\(path)[\($0)]", &reading) }
    guard rules.count == elements.count, let first = rules.first else {
      if elements.isEmpty { reading.error(path, node.position, "\(path) is an empty list; write never") }
      return nil
    }
    return rules.count == 1 ? first : .any(rules)
  } write: {
    text($0)
  }

  private static let rule = ValueForm.scalar(
    "an interval such as 15m, daily HH:MM, weekly <mon…sun> HH:MM, or never"
  ) { text throws(Refusal) in
    guard let rule = ScheduleRule.parse(text) else {
      let isBare = DecimalText.number(text) != nil
      throw Refusal(isBare ? "it has no unit: write \(text)s for seconds" : nil)
    }
    return rule
  }

  private static func text(_ rule: ScheduleRule) -> String {
    func clock(_ minute: Int) -> String {
      let digits = [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
      return digits.joined(separator: ":")
    }
    return switch rule {
    case .every(let interval): DurationText.format(interval)
    case .daily(let minute): "daily \(clock(minute))"
    case .weekly(let weekday, let minute):
      "weekly \(["mon", "tue", "wed", "thu", "fri", "sat", "sun"][weekday % 7]) \(clock(minute))"
    case .never: "never"
    case .any(let rules): "[" + rules.map(text).joined(separator: ", ") + "]"
    }
  }
}
