import FleetModel

/// When boards that are missing are looked for without BlueZ's filter of services, which hides those that do not
/// advertise one. Pure; times are uptimes.
struct WideScanSchedule: Sendable {
  /// A board that was not received for so long is missing.
  static let silence = Duration.seconds(30)
  /// From one such scan to the next, twice as long each time while boards stay missing.
  static let shortestPause = Duration.seconds(60)
  static let longestPause = Duration.seconds(300)

  private var next = Duration.zero
  private var pause = WideScanSchedule.shortestPause

  /// Whether to look now; `isMissing`: whether any board is missing.
  mutating func isDue(isMissing: Bool, at now: Duration) -> Bool {
    guard isMissing else {
      self = WideScanSchedule()
      return false
    }
    guard now >= next else { return false }
    next = now + pause
    pause = min(pause * 2, Self.longestPause)
    return true
  }
}
