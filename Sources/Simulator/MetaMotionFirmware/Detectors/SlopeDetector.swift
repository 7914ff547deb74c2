/// Any motion, or slow motion: from one sample to the next an axis changes by more than a threshold, several times
/// running. Told once, until it has been still again.
struct SlopeDetector: MotionDetector {
  /// x, y, z in bits 0 to 2.
  let axes: UInt8
  /// In g.
  let threshold: Double
  let count: Int
  let encode: @Sendable (DetectedAxis) -> UInt8
  private var previous: SIMD3<Double>?
  private var exceeded = 0

  init(axes: UInt8, threshold: Double, count: Int, encode: @escaping @Sendable (DetectedAxis) -> UInt8) {
    self.axes = axes
    self.threshold = threshold
    self.count = max(count, 1)
    self.encode = encode
  }

  mutating func feel(_ acceleration: SIMD3<Double>, at now: Duration) -> UInt8? {
    defer { previous = acceleration }
    guard let previous,
      let detected = DetectedAxis.first(of: acceleration - previous, in: axes, above: threshold)
    else {
      exceeded = 0
      return nil
    }
    exceeded += 1
    return exceeded == count ? encode(detected) : nil
  }
}
