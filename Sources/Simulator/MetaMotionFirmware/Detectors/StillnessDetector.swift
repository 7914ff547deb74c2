/// No motion: no axis has changed by more than a threshold for so long. Told once, until something has moved.
struct StillnessDetector: MotionDetector {
  let axes: UInt8
  /// In g.
  let threshold: Double
  let duration: Duration
  let flags: UInt8
  private var previous: SIMD3<Double>?
  private var stillSince: Duration?
  private var isReported = false

  init(axes: UInt8, threshold: Double, duration: Duration, flags: UInt8) {
    self.axes = axes
    self.threshold = threshold
    self.duration = duration
    self.flags = flags
  }

  mutating func feel(_ acceleration: SIMD3<Double>, at now: Duration) -> UInt8? {
    defer { previous = acceleration }
    guard let previous,
      DetectedAxis.first(of: acceleration - previous, in: axes, above: threshold) == nil,
      let since = stillSince
    else {
      stillSince = now
      isReported = false
      return nil
    }
    guard !isReported, now - since >= duration else { return nil }
    isReported = true
    return flags
  }
}
