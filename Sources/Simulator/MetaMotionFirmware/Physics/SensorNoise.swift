import FleetModel

/// White noise as a function of time: the same instant always carries the same noise, however often and by
/// whom it is sampled.
struct SensorNoise: Sendable {
  let seed: UInt64

  /// About normally distributed, mean 0, standard deviation 1: the sum of four uniform numbers.
  func value(at time: Duration, channel: UInt64) -> Double {
    let position = UInt64(bitPattern: time.wholeNanoseconds) &* 4 &+ channel
    var positions = SeededGenerator(seed: position)
    var random = SeededGenerator(seed: seed ^ positions.next())
    let bits = random.next()
    let (low, high) = (bits & 0x0000_FFFF_0000_FFFF, (bits >> 16) & 0x0000_FFFF_0000_FFFF)
    let sum = Double((low & 0xFFFF_FFFF) + (low >> 32) + (high & 0xFFFF_FFFF) + (high >> 32))
    return (sum / 65536 - 2) * 1.7320508
  }
}
