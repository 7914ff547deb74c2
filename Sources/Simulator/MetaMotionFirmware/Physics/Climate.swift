import FleetModel
import Glibc

/// Temperatures around and inside a board: a room that changes within hours, a processor a little warmer.
package struct Climate: Sendable {
  private let mean: Double
  private let swing: Double
  private let period: Double
  private let phase: Double
  private let selfHeating: Double
  private let noise: SensorNoise

  package init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    mean = .random(in: 19...25, using: &random)
    swing = .random(in: 0.5...2, using: &random)
    period = .random(in: 1800...7200, using: &random)
    phase = .random(in: 0...(2 * .pi), using: &random)
    selfHeating = .random(in: 2...4, using: &random)
    noise = SensorNoise(seed: random.next())
  }

  /// Degrees Celsius of the air around the board.
  package func ambient(at time: Duration) -> Double {
    mean + swing * sin(2 * .pi * time.inSeconds / period + phase)
      + 0.05 * noise.value(at: time, channel: 0)
  }

  /// Degrees Celsius of the processor's die.
  package func die(at time: Duration) -> Double { ambient(at: time) + selfHeating }
}
