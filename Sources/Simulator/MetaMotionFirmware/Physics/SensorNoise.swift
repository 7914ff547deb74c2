import FleetModel

/// White noise as a function of time: the same instant always carries the same noise, however often and by
/// whom it is sampled.
struct SensorNoise: Sendable {
  let seed: UInt64

  /// About normally distributed, mean 0, standard deviation 1: the sum of four uniform numbers.
  func value(at time: Duration, channel: UInt64) -> Double {
    let position = UInt64(bitPattern: time.wholeNanoseconds) &* 4 &+ channel
    let bits = SeededGenerator.scramble(seed ^ SeededGenerator.scramble(position))
    let sum = (0..<4).reduce(0) { $0 + Double((bits >> (UInt64($1) * 16)) & 0xFFFF) }
    return (sum / 65536 - 2) * 1.7320508
  }
}
