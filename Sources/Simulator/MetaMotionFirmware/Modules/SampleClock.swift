import FleetModel

/// The grid on which a Bosch sensor delivers: whole nanoseconds per sample at every rate, so it never drifts; a sensor
/// whose own oscillator is off does so at another rate than it says.
struct SampleClock: Sendable, Equatable {
  private let startedAt: Duration
  private let period: Int64

  /// `code` is the output data rate as in the chip's register: 1 = 0.78125 Hz, doubling up to 12 = 1600 Hz and
  /// 13 = 3200 Hz. `speed`: how many samples it takes where it should take one. Nil for a code that the chip does not
  /// have, at which it delivers nothing.
  init?(code: UInt8, of codes: ClosedRange<UInt8> = 1...12, speed: Double = 1, startedAt: Duration) {
    guard codes.contains(code), (1...13).contains(code) else { return nil }
    let period = Duration.nanoseconds(1_280_000_000 >> Int64(code - 1))
    self.init(period: speed == 1 ? period : period / speed, startedAt: startedAt)
  }

  /// One sample per `period`; the clock never stands still, whatever the period.
  init(period: Duration, startedAt: Duration) {
    self.startedAt = startedAt
    self.period = max(period.wholeNanoseconds, 1)
  }

  /// How many samples there have been, the one at `time` included.
  func index(at time: Duration) -> Int64 { (time - startedAt).wholeNanoseconds / period }

  /// Whether a sample is due exactly now.
  func isTick(_ time: Duration) -> Bool { index(at: time) > 0 && self.time(of: index(at: time)) == time }

  func time(of index: Int64) -> Duration { startedAt + .nanoseconds(index * period) }

  /// The first sample later than `time` whose index is a multiple of `stride`.
  func next(after time: Duration, every stride: Int64) -> Duration {
    self.time(of: (index(at: time) / stride + 1) * stride)
  }
}
