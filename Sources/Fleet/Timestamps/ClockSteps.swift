import FleetModel

/// Whether our clock was set forward lately, seen from a tick: stamps jump then, and nothing is missing. Where it was
/// set back, packets come early, which tells by itself.
struct ClockSteps: Sendable {
  /// By how much the clock may gain between two ticks without having been set: NTP slews by half a second in a
  /// thousand, and a thread is held up between looking at both clocks.
  private static let slack = Duration.milliseconds(50)
  /// How long a step explains what is late: packets wait for no longer.
  private static let memory = Duration.seconds(6)

  private var lead: Duration?
  private var step = Duration.zero
  private var steppedAt = Duration.zero

  /// Takes note of both clocks.
  mutating func update(at now: Timestamp, uptime: Duration) {
    let lead = now - Timestamp(nanoseconds: 0) - uptime
    defer { self.lead = lead }
    if uptime - steppedAt > Self.memory { step = .zero }
    guard let before = self.lead, lead - before > Self.slack else { return }
    step += lead - before
    steppedAt = uptime
  }

  /// By how many nanoseconds the clock was set forward lately.
  var forward: Int64 { step.wholeNanoseconds }
}
