import FleetModel
import Glibc

/// How a board moves: gravity seen from a slowly tilting case, and bursts of vibration. A function of seed and
/// time without memory, so that any number of sensors at any rate see the same motion.
package struct Motion: Sendable {
  package enum Style: Sendable {
    /// Lies still on a table, face up.
    case resting
    /// Tilts by a few degrees within minutes and is shaken now and then.
    case everyday
  }

  /// One slow swing of the case about one axis.
  private struct Swing {
    let amplitude: Double
    let period: Double
    let phase: Double

    func angle(at seconds: Double) -> Double { amplitude * sin(2 * .pi * seconds / period + phase) }
  }

  /// Vibration is decided anew for each stretch of this many seconds.
  private static let stretch = 30.0

  private let seed: UInt64
  private let style: Style
  private let pitch: Swing
  private let roll: Swing

  package init(seed: UInt64, style: Style = .everyday) {
    self.seed = seed
    self.style = style
    var random = SeededGenerator(seed: seed)
    func swing() -> Swing {
      Swing(
        amplitude: .random(in: 0.03...0.12, using: &random),
        period: .random(in: 40...180, using: &random),
        phase: .random(in: 0...(2 * .pi), using: &random))
    }
    pitch = swing()
    roll = swing()
  }

  /// What an ideal accelerometer shows, in g: x right, y away, z up; about +1 on z at rest (protocol
  /// reference 7).
  package func acceleration(at time: Duration) -> SIMD3<Double> {
    guard style == .everyday else { return [0, 0, 1] }
    let seconds = time.inSeconds
    let pitch = pitch.angle(at: seconds)
    let roll = roll.angle(at: seconds)
    return [-sin(pitch), sin(roll) * cos(pitch), cos(roll) * cos(pitch)] + vibration(at: seconds)
  }

  /// In every second stretch, on average, somebody handles the board for a few seconds.
  private func vibration(at seconds: Double) -> SIMD3<Double> {
    let index = (seconds / Self.stretch).rounded(.down)
    var stretches = SeededGenerator(seed: UInt64(bitPattern: Int64(index)))
    var random = SeededGenerator(seed: seed ^ stretches.next())
    guard Bool.random(using: &random) else { return .zero }
    let length = Double.random(in: 1...5, using: &random)
    let start = index * Self.stretch + .random(in: 0...(Self.stretch - length), using: &random)
    guard seconds >= start, seconds <= start + length else { return .zero }
    let frequency = Double.random(in: 3...12, using: &random)
    let amplitude = Double.random(in: 0.05...0.5, using: &random)
    let direction = SIMD3<Double>.random(in: -1...1, using: &random)
    let envelope = sin(.pi * (seconds - start) / length)
    return direction * (amplitude * envelope * sin(2 * .pi * frequency * (seconds - start)))
  }
}
