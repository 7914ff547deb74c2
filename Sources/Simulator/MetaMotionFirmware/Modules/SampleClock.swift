import FleetModel

/// The grid on which a Bosch sensor delivers: whole nanoseconds per sample at every rate, so it never drifts.
struct SampleClock: Sendable, Equatable {
  private let startedAt: Duration
  private let period: Int64

  /// `code` is the output data rate as in the chip's register: 1 = 0.78125 Hz, doubling up to 12 = 1600 Hz. Nil
  /// for a code without a rate, at which the chip delivers nothing.
  init?(code: UInt8, startedAt: Duration) {
    guard (1...12).contains(code) else { return nil }
    self.startedAt = startedAt
    period = 1_280_000_000 >> Int64(code - 1)
  }

  /// How many samples there have been, the one at `time` included.
  func index(at time: Duration) -> Int64 { (time - startedAt).wholeNanoseconds / period }

  func time(of index: Int64) -> Duration { startedAt + .nanoseconds(index * period) }

  /// The first sample later than `time` whose index is a multiple of `stride`.
  func next(after time: Duration, every stride: Int64) -> Duration {
    self.time(of: (index(at: time) / stride + 1) * stride)
  }
}
