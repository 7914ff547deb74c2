/// High g: an axis shows more than a threshold for so long. Told once, until it has fallen below by the hysteresis.
struct HighGravityDetector: MotionDetector {
  let axes: UInt8
  /// In g.
  let threshold: Double
  /// In g.
  let hysteresis: Double
  let duration: Duration
  private var since: Duration?
  private var isTold = false

  init(axes: UInt8, threshold: Double, hysteresis: Double, duration: Duration) {
    self.axes = axes
    self.threshold = threshold
    self.hysteresis = hysteresis
    self.duration = duration
  }

  /// Bit 0, the axis in bits 2 to 4, the sign in bit 5.
  mutating func feel(_ acceleration: SIMD3<Double>, at now: Duration) -> UInt8? {
    let limit = isTold ? threshold - hysteresis : threshold
    guard let detected = DetectedAxis.first(of: acceleration, in: axes, above: limit) else {
      since = nil
      isTold = false
      return nil
    }
    let start = since ?? now
    since = start
    guard !isTold, now - start >= duration else { return nil }
    isTold = true
    return 0x01 | detected.flags(first: 0x04, sign: 0x20)
  }
}
