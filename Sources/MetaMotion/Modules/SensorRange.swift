import BoardKit

/// A full scale that somebody sets: it decides what the counts of a sensor mean.
struct SensorRange: Sendable {
  /// Where the board tells how the sensor is set.
  let settings: Register
  /// The configuration key that sets it, in the unit of the samples.
  let key: String
  /// What counts while nobody has set it.
  let initial: Double
  /// Counts at the full scale of 1; those per unit are as many, divided by the range.
  let counts: Double
  /// What is said of counts while the range is not known.
  let unknown: String
  /// The range that these settings mean, as they follow a header; nil when they mean none, or the chip is not known.
  let decode: @Sendable (_ payload: [UInt8], _ chip: Accelerometer.Chip?) -> Double?

  /// Counts per unit at a range.
  func countsPerUnit(_ range: Double) -> Double { counts / range }
}
