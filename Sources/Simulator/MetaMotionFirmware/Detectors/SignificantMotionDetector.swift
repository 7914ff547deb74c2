/// Motion that lasts: something moves, and after a time in which nothing is looked at it moves again.
struct SignificantMotionDetector: MotionDetector {
  /// In g.
  let threshold: Double
  /// How long nobody looks after the first motion.
  let skip: Duration
  /// Within which the second motion must come.
  let proof: Duration
  let flags: UInt8
  private var previous: SIMD3<Double>?
  private var firstMotion: Duration?

  init(threshold: Double, skip: Duration, proof: Duration, flags: UInt8) {
    self.threshold = threshold
    self.skip = skip
    self.proof = proof
    self.flags = flags
  }

  mutating func feel(_ acceleration: SIMD3<Double>, at now: Duration) -> UInt8? {
    defer { previous = acceleration }
    guard let previous else { return nil }
    if let first = firstMotion, now - first > skip + proof { firstMotion = nil }
    guard DetectedAxis.first(of: acceleration - previous, in: 0x07, above: threshold) != nil else {
      return nil
    }
    guard let first = firstMotion else {
      firstMotion = now
      return nil
    }
    guard now - first >= skip else { return nil }
    firstMotion = nil
    return flags
  }
}
