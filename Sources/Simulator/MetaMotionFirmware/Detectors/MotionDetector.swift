/// Something that a chip recognises in what it measures (protocol reference 8.3 to 9.5). The recipes are simpler than
/// Bosch's; what is told, when it is armed and which settings matter is the chip's.
protocol MotionDetector: Sendable {
  /// A sample, in g; returns what is told because of it, if anything.
  mutating func feel(_ acceleration: SIMD3<Double>, at now: Duration) -> UInt8?
}

/// An axis that has set a detector off, first of all three.
struct DetectedAxis: Sendable, Equatable {
  /// 0 is x, 1 is y, 2 is z.
  let axis: Int
  let isNegative: Bool

  /// A bit per axis from `first` on, and one for the sign.
  func flags(first: UInt8, sign: UInt8) -> UInt8 { first << UInt8(axis) | (isNegative ? sign : 0) }

  /// The first of the axes in `mask` whose magnitude is above `threshold`.
  static func first(of value: SIMD3<Double>, in mask: UInt8, above threshold: Double) -> DetectedAxis? {
    (0..<3).first { mask & 1 << UInt8($0) != 0 && abs(value[$0]) > threshold }.map {
      DetectedAxis(axis: $0, isNegative: value[$0] < 0)
    }
  }
}
