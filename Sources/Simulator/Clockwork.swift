import EventLoops

/// The simulated clock of boards that live in the world's time, and the wake-up for the next thing to happen to them.
/// Confined to its loop.
struct Clockwork {
  /// What comes within so long shares one wake-up; a radio's connection interval is longer.
  private static let quantum = Duration.milliseconds(4)

  private var clock: SimulatedClock
  private let epoch = ContinuousClock.now
  private var timer: (timer: LoopTimer, at: Duration)?
  private var isTicking = false

  init(speed: Double) { clock = SimulatedClock(speed: speed) }

  /// Simulated time at the last `read`.
  var now: Duration { clock.now }

  /// Simulated time since the start. During a tick it stands still, so that a slow tick does not chase itself.
  mutating func read() -> Duration {
    if !isTicking { clock.advance(to: epoch.duration(to: .now), due: timer?.at) }
    return clock.now
  }

  /// The wake-up has come; whatever is due until the time returned is done before `endTick`.
  mutating func beginTick() -> Duration {
    let now = read()
    timer = nil
    isTicking = true
    return now
  }

  mutating func endTick() { isTicking = false }

  /// Has `tick` called on the loop when `next` comes, if nothing sooner is planned. During a tick it does nothing.
  mutating func arm(for next: Duration?, on loop: EventLoop, _ tick: @escaping @Sendable () -> Void) {
    guard !isTicking, let next else { return }
    if let timer, timer.at <= next { return }
    timer?.timer.cancel()
    let delay = max((next - clock.now) / clock.speed, Self.quantum)
    timer = (loop.schedule(after: delay, tick), next)
  }

  /// No tick will come any more.
  mutating func stop() {
    timer?.timer.cancel()
    timer = nil
  }
}
