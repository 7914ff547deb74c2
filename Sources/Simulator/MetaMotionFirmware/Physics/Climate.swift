import FleetModel
import Glibc

/// The air around a board and what is inside it: a room whose temperature, pressure, humidity and light change
/// within hours, and a processor a little warmer.
package struct Climate: Sendable {
  /// What of it somebody can choose.
  package enum Quantity: String, Sendable, CaseIterable {
    case temperature, pressure, humidity, light

    /// What can be had, in degrees Celsius, pascal, percent and lux.
    var range: ClosedRange<Double> {
      switch self {
      case .temperature: -40...85
      case .pressure: 30_000...110_000
      case .humidity: 0...100
      case .light: 0...100_000
      }
    }
  }

  private let mean: Double
  private let swing: Double
  private let period: Double
  private let phase: Double
  private let selfHeating: Double
  private let noise: SensorNoise
  private let meanPressure: Double
  private let meanHumidity: Double
  private let brightness: Double
  /// What somebody chose, in place of what would be so by itself.
  private var chosen: [Quantity: Double] = [:]

  package init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    mean = .random(in: 19...25, using: &random)
    swing = .random(in: 0.5...2, using: &random)
    period = .random(in: 1800...7200, using: &random)
    phase = .random(in: 0...(2 * .pi), using: &random)
    selfHeating = .random(in: 2...4, using: &random)
    noise = SensorNoise(seed: random.next())
    meanPressure = .random(in: 97_000...102_500, using: &random)
    meanHumidity = .random(in: 35...55, using: &random)
    brightness = .random(in: 100...400, using: &random)
  }

  /// From now on it is so; with nil as it is by itself.
  package mutating func set(_ quantity: Quantity, to value: Double?) { chosen[quantity] = value }

  /// Degrees Celsius of the air around the board.
  package func ambient(at time: Duration) -> Double {
    (chosen[.temperature] ?? mean + swing * sin(2 * .pi * time.inSeconds / period + phase))
      + 0.05 * noise.value(at: time, channel: 0)
  }

  /// Degrees Celsius of the processor's die.
  package func die(at time: Duration) -> Double { ambient(at: time) + selfHeating }

  /// Pascal of the air, with the sensor's own noise of about one pascal.
  package func pressure(at time: Duration) -> Double {
    (chosen[.pressure] ?? meanPressure + 60 * sin(2 * .pi * time.inSeconds / (4 * period) + phase))
      + noise.value(at: time, channel: 1)
  }

  /// Metres above the standard atmosphere's sea level at that pressure.
  package static func altitude(pressure: Double) -> Double {
    44330 * (1 - pow(max(pressure, 1) / 101_325, 0.190_284))
  }

  /// Relative humidity of the air in percent: it falls when the room warms up.
  package func humidity(at time: Duration) -> Double {
    chosen[.humidity] ?? meanHumidity - 2 * (ambient(at: time) - mean)
  }

  /// Lux on the board's face; lamps flicker a little.
  package func illuminance(at time: Duration) -> Double {
    (chosen[.light] ?? brightness * (1 + 0.3 * sin(2 * .pi * time.inSeconds / period + phase)))
      + noise.value(at: time, channel: 2)
  }
}
