/// Low g, as in free fall: every axis, or all together, shows less than a threshold for so long. Told once, until it
/// has risen above by the hysteresis.
struct LowGravityDetector: MotionDetector {
  /// In g.
  let threshold: Double
  /// In g.
  let hysteresis: Double
  /// The sum of the axes' magnitudes counts instead of each.
  let sums: Bool
  private var condition: LastingCondition

  init(threshold: Double, hysteresis: Double, sums: Bool, duration: Duration) {
    self.threshold = threshold
    self.hysteresis = hysteresis
    self.sums = sums
    condition = LastingCondition(duration: duration)
  }

  mutating func feel(_ acceleration: SIMD3<Double>, at now: Duration) -> UInt8? {
    let magnitudes = [abs(acceleration.x), abs(acceleration.y), abs(acceleration.z)]
    let value = sums ? magnitudes.reduce(0, +) : magnitudes.max() ?? 0
    let limit = condition.isReported ? threshold + hysteresis : threshold
    return condition.update(value < limit, at: now) ? 0x02 : nil
  }
}
