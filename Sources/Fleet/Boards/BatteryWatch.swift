import FleetModel

/// How full a battery is, as far as somebody has to know (fault F51). A level is told once: readings swing with the
/// load, so that it is over only some percent above where it began. Pure.
struct BatteryWatch: Hashable, Sendable {
  /// From best to worst; as events of `low-battery` name them.
  enum Level: String, CaseIterable, Sendable, Comparable {
    case good, low, critical

    /// At most this charge, percent.
    var most: Int {
      switch self {
      case .good: 100
      case .low: 20
      case .critical: 5
      }
    }

    static func < (left: Level, right: Level) -> Bool { left.most > right.most }
  }

  /// So many percent more than a level's charge end it.
  static let recovery = 5

  private(set) var level = Level.good
  /// Since when it is low, or worse; nil where it is not.
  private(set) var lowSince: Timestamp?

  /// Takes a reading. Returns the level where it is worse than before.
  mutating func take(_ percent: Int, at time: Timestamp) -> Level? {
    let before = level
    let reached = Self.level(of: percent)
    level = reached > before ? reached : min(before, Self.level(of: percent - Self.recovery))
    if level == .good { lowSince = nil } else if lowSince == nil { lowSince = time }
    return level > before ? level : nil
  }

  private static func level(of percent: Int) -> Level {
    Level.allCases.last { percent <= $0.most } ?? .good
  }
}
