/// Low g, as in free fall: every axis, or all together, shows less than a threshold for so long. Told once, until it
/// has risen above by the hysteresis.
struct LowGravityDetector: MotionDetector {
  /// In g.
  let threshold: Double
  /// In g.
  let hysteresis: Double
  /// The sum of the axes' magnitudes counts instead of each.
  let sums: Bool
  let duration: Duration
  private var since: Duration?
  private var isTold = false

  init(threshold: Double, hysteresis: Double, sums: Bool, duration: Duration) {
    self.threshold = threshold
    self.hysteresis = hysteresis
    self.sums = sums
    self.duration = duration
  }

  mutating func feel(_ acceleration: SIMD3<Double>, at now: Duration) -> UInt8? {
    let magnitudes = [abs(acceleration.x), abs(acceleration.y), abs(acceleration.z)]
    let value = sums ? magnitudes.reduce(0, +) : magnitudes.max() ?? 0
    guard value < (isTold ? threshold + hysteresis : threshold) else {
      since = nil
      isTold = false
      return nil
    }
    let start = since ?? now
    since = start
    guard !isTold, now - start >= duration else { return nil }
    isTold = true
    return 0x02
  }
}
