/// At most ten refusals a second are answered per gateway; the rest is counted (MQTT contract 3.1).
struct RefusalRateLimit: Sendable {
  static let perSecond = 10
  /// When the last of them were answered, oldest first.
  private var answered: [Duration] = []

  mutating func allows(at uptime: Duration) -> Bool {
    if answered.count == Self.perSecond {
      guard uptime - answered[0] >= .seconds(1) else { return false }
      answered.removeFirst()
    }
    answered.append(uptime)
    return true
  }
}
