/// Single and double taps: a jerk, then quiet; for a double tap a second one within a window.
struct TapDetector: MotionDetector {
  /// In g.
  let threshold: Double
  let shock: Duration
  let quiet: Duration
  let window: Duration
  /// Bit 0 double, bit 1 single.
  let enabled: UInt8
  private var previous: SIMD3<Double>?
  private var lastTap: Duration?
  private var isFirst = true

  init(threshold: Double, shock: Duration, quiet: Duration, window: Duration, enabled: UInt8) {
    self.threshold = threshold
    self.shock = shock
    self.quiet = quiet
    self.window = window
    self.enabled = enabled
  }

  /// The kind in bits 0 and 1, the axis in bits 2 to 4, the sign in bit 5.
  mutating func feel(_ acceleration: SIMD3<Double>, at now: Duration) -> UInt8? {
    defer { previous = acceleration }
    guard let previous,
      let detected = DetectedAxis.first(of: acceleration - previous, in: 0x07, above: threshold)
    else { return nil }
    if let lastTap, now - lastTap < shock + quiet { return nil }
    let isSecond = lastTap.map { isFirst && now - $0 <= shock + quiet + window } ?? false
    lastTap = now
    isFirst = !isSecond
    let kind: UInt8 = isSecond && enabled & 0x01 != 0 ? 0x01 : 0x02
    return enabled & kind == 0 ? nil : kind | detected.flags(first: 0x04, sign: 0x20)
  }
}
