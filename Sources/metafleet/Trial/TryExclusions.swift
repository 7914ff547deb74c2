/// What of a board is left alone because somebody may need it: nil where nothing speaks against a step, else why not
/// (fault F180).
struct TryExclusions: Hashable, Sendable {
  var led: String?
  var haptic: String?
  var acceleration: String?

  /// `foreign` is what stands in the board's slots, `logger/0`; nil where that could not be read.
  init(foreign: [String]?) {
    guard let foreign else {
      let reason = "what the board holds could not be read, and it might be working for somebody"
      (led, haptic, acceleration) = (reason, reason, reason)
      return
    }
    guard !foreign.isEmpty else { return }
    let held = foreign.joined(separator: ", ")
    acceleration =
      "the board works for somebody (\(held)), who may need its sensors as they are; "
      + "if nobody does, clear it with the verb factory-reset of a gateway, or with MetaBase"
    let isLogging = foreign.contains { $0.hasPrefix("logger/") }
    if isLogging { haptic = "the board logs for somebody (\(held)), and its log would have the vibration" }
    // Timers, events and macros may light the LED, whose pattern would be lost.
    let programs = foreign.filter { !$0.hasPrefix("logger/") && !$0.hasPrefix("processor/") }
    guard !programs.isEmpty else { return }
    let reason = "the board runs a program of somebody (\(programs.joined(separator: ", "))) that may use it"
    led = reason
    haptic = haptic ?? reason
  }

  /// Sensors that run for somebody else and would have to be stopped.
  mutating func take(running sensors: [String]) {
    guard acceleration == nil, !sensors.isEmpty else { return }
    acceleration =
      "the \(sensors.joined(separator: ", ")) runs for somebody, or was left running; if nobody needs it, "
      + "reset the board with its button"
  }
}
