/// How full a log is, in the words of its events (MQTT contract 5, `log-level`). Pure.
enum LogFillLevel: String, Sendable, Comparable, CaseIterable {
  case warning, alarm, full

  /// From so many percent on.
  var percent: Double {
    switch self {
    case .warning: 70
    case .alarm: 90
    case .full: 100
    }
  }

  /// The highest that is reached; nil below all.
  static func of(_ percent: Double) -> LogFillLevel? { allCases.last { percent >= $0.percent } }

  static func < (left: LogFillLevel, right: LogFillLevel) -> Bool { left.percent < right.percent }

  /// What is worth an event: a level that is reached for the first time since it was below. `last` was reported last.
  static func crossed(to percent: Double, after last: LogFillLevel?) -> LogFillLevel? {
    guard let reached = of(percent) else { return nil }
    return last.map { reached > $0 } ?? true ? reached : nil
  }
}
