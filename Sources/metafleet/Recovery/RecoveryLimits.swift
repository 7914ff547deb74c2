/// How often the recovery helper does what it is asked to, whoever asks.
///
/// Times are those of any clock that only goes forward. What failed counts, too. USB devices are told by their place,
/// not by the adapter's name, which may be another one after a reset.
struct RecoveryLimits: Sendable {
  /// Between two restarts of bluetoothd, and between two resets of one USB device.
  static let pause: Duration = .seconds(30 * 60)
  /// So many resets of one USB device in any `day`.
  static let resetsPerDay = 3
  static let day: Duration = .seconds(24 * 60 * 60)

  private var lastRestart: Duration?
  /// When each device was reset, oldest first: those of the last day.
  private var resets: [String: [Duration]] = [:]

  /// Counts a restart of bluetoothd at `now` and returns nil (escalation ladder, rung 7); or returns how long to wait,
  /// and counts nothing.
  mutating func restart(at now: Duration) -> Duration? {
    if let lastRestart, let wait = Self.wait(until: lastRestart + Self.pause, at: now) { return wait }
    lastRestart = now
    return nil
  }

  /// Counts a reset of a USB device at `now` and returns nil (escalation ladder, rung 8); or returns how long to wait,
  /// and counts nothing.
  mutating func reset(_ device: String, at now: Duration) -> Duration? {
    resets = resets.mapValues { $0.filter { $0 + Self.day > now } }.filter { !$0.value.isEmpty }
    let earlier = resets[device] ?? []
    let pause = earlier.last.flatMap { Self.wait(until: $0 + Self.pause, at: now) }
    let day =
      earlier.count < Self.resetsPerDay
      ? nil : earlier.first.flatMap { Self.wait(until: $0 + Self.day, at: now) }
    if let wait = [pause, day].compactMap({ $0 }).max() { return wait }
    resets[device] = earlier + [now]
    return nil
  }

  private static func wait(until end: Duration, at now: Duration) -> Duration? {
    end > now ? end - now : nil
  }
}
