/// How good the air between boards and adapters is, by name.
package enum RadioQuality: String, Sendable, CaseIterable {
  case clear, office, crowded, far, failing

  /// What it is like, in a few words.
  package var meaning: String {
    switch self {
    case .clear: "near boards and nobody else; nothing is lost"
    case .office:
      "boards behind a wall or two: one advertisement in ten is missed, one attempt in twenty fails"
    case .crowded: "many other radios: slow connections, five at a time, which last about an hour"
    case .far:
      "the end of the range: four advertisements in ten are missed, connections last about ten minutes"
    case .failing: "hardly anything works: half of all attempts fail, connections last less than a minute"
    }
  }

  package var conditions: Air.Conditions {
    var air = Air.Conditions()
    switch self {
    case .clear: break
    case .office:
      (air.signal, air.missedReports, air.refusals) = (-88 ... -60, 0.1, 0.05)
      air.connecting = .milliseconds(150)...(.milliseconds(600))
    case .crowded:
      (air.signal, air.missedReports, air.refusals, air.slots) = (-82 ... -55, 0.3, 0.15, 5)
      air.connecting = .milliseconds(300)...(.seconds(3))
      air.discovering = .milliseconds(1500)...(.seconds(5))
      (air.linkLife, air.lostNotifications) = (.seconds(3600), 0.000_5)
    case .far:
      (air.signal, air.missedReports, air.refusals) = (-97 ... -85, 0.4, 0.25)
      air.connecting = .milliseconds(400)...(.seconds(4))
      air.discovering = .seconds(1)...(.seconds(4))
      (air.linkLife, air.lostNotifications) = (.seconds(600), 0.001)
    case .failing:
      (air.signal, air.missedReports, air.refusals) = (-99 ... -90, 0.7, 0.5)
      air.connecting = .seconds(1)...(.seconds(8))
      air.discovering = .seconds(2)...(.seconds(8))
      (air.linkLife, air.lostNotifications) = (.seconds(45), 0.01)
    }
    return air
  }
}
