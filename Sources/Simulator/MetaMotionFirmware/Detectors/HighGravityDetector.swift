/// High g: an axis shows more than a threshold for so long. Told once, until it has fallen below by the hysteresis.
struct HighGravityDetector: MotionDetector {
  let axes: UInt8
  /// In g.
  let threshold: Double
  /// In g.
  let hysteresis: Double
  private var condition: LastingCondition

  init(axes: UInt8, threshold: Double, hysteresis: Double, duration: Duration) {
    self.axes = axes
    self.threshold = threshold
    self.hysteresis = hysteresis
    condition = LastingCondition(duration: duration)
  }

  /// Bit 0, the axis in bits 2 to 4, the sign in bit 5.
  mutating func feel(_ acceleration: SIMD3<Double>, at now: Duration) -> UInt8? {
    let limit = condition.isReported ? threshold - hysteresis : threshold
    let detected = DetectedAxis.first(of: acceleration, in: axes, above: limit)
    guard condition.update(detected != nil, at: now), let detected else { return nil }
    return 0x01 | detected.flags(first: 0x04, sign: 0x20)
  }
}
