/// Time of the simulated world, driven by the real one: faster or slower, and waiting where the simulator cannot
/// keep up or was suspended, instead of making up for it in one burst.
struct SimulatedClock: Sendable {
  /// What is due may be this late in real time; what is later the clock leaves out.
  static let allowedDelay = Duration.milliseconds(100)

  /// Simulated seconds per second.
  let speed: Double
  private(set) var now = Duration.zero
  private var leftOut = Duration.zero

  init(speed: Double) { self.speed = speed }

  /// `elapsed` is real time since the start; `due` the simulated time for which the next thing is planned, if
  /// anything is.
  mutating func advance(to elapsed: Duration, due: Duration?) {
    var time = (elapsed - leftOut) * speed
    if let due, time > due + Self.allowedDelay * speed {
      let excess = time - due - Self.allowedDelay * speed
      leftOut += excess / speed
      time -= excess
    }
    now = max(now, time)
  }
}
