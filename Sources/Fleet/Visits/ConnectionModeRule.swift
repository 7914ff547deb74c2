import FleetModel

/// Whether the link to a board is held, or the board is visited (MQTT contract 7.4, `link`). Pure.
enum ConnectionModeRule {
  /// A board that is read more often than this is cheaper to hold than to call each time.
  static let longestConnectedPeriod = Duration.seconds(120)

  /// `streams` are all that is wanted of the board to come here, `logs` what it keeps.
  static func holds(
    _ profile: Profile, streams: [String: StreamRequest], logs: [String: StreamRequest]
  ) -> Bool {
    switch profile.link {
    case .hold: return true
    case .visit: return false
    case .automatic:
      // Nothing says how often such a board is needed: it is at hand, unless its profile has it visited.
      if streams.isEmpty, logs.isEmpty { return !profile.visit.isPlanned }
      return streams.values.contains { $0.readRule.map(isFrequent) ?? true }
    }
  }

  /// Whether it is read so often that the link is held for it.
  static func isFrequent(_ rule: ScheduleRule) -> Bool {
    rule.pace.map { $0 < longestConnectedPeriod } ?? false
  }
}
