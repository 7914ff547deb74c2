import FleetModel
import Glibc

/// How a board moves: slowly tilting and turning, with bursts of vibration, and what somebody does with it on
/// purpose. Apart from that a function of seed and time without memory, so that any number of sensors at any rate
/// see the same motion, and the fusion of them as well.
package struct Motion: Sendable {
  package enum Style: Sendable {
    /// Lies still on a table, face up, its y axis to the north.
    case resting
    /// Tilts and turns by a few degrees within minutes and is shaken now and then.
    case everyday
  }

  /// One slow swing of the case about one axis.
  private struct Swing {
    let amplitude: Double
    let period: Double
    let phase: Double

    func angle(at seconds: Double) -> Double { amplitude * sin(2 * .pi * seconds / period + phase) }

    /// Radians per second.
    func rate(at seconds: Double) -> Double {
      amplitude * 2 * .pi / period * cos(2 * .pi * seconds / period + phase)
    }
  }

  /// Vibration is decided anew for each stretch of this many seconds.
  private static let stretch = 30.0
  /// The earth's field in Central Europe, in microtesla: nothing to the east, some to the north, most of it down.
  package static let earthField: SIMD3<Double> = [0, 20, -44]

  private let seed: UInt64
  private let style: Style
  private let pitch: Swing
  private let roll: Swing
  private let yaw: Swing
  private var occurrences: [Occurrence] = []

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
    yaw = swing()
  }

  /// Adds what somebody does with the board from `time` on. What is over is forgotten, and so are earlier turns, from
  /// which a new one goes on.
  package mutating func happen(_ event: PhysicalEvent, at time: Duration) {
    let from = occurrences.lazy.compactMap { $0.turn(at: time)?.attitude }.first ?? Attitude()
    occurrences.removeAll { occurrence in
      occurrence.end.map { $0 <= time } ?? (event.isTurn && occurrence.event.isTurn)
    }
    occurrences.append(Occurrence(event: event, start: time, from: from))
  }

  /// Where the board points.
  package func attitude(at time: Duration) -> Attitude {
    let seconds = time.inSeconds
    var attitude =
      style == .resting
      ? Attitude()
      : Attitude(yaw: yaw.angle(at: seconds), pitch: pitch.angle(at: seconds), roll: roll.angle(at: seconds))
    for turn in occurrences.compactMap({ $0.turn(at: time) }) { attitude = attitude + turn.attitude }
    return attitude
  }

  /// Degrees per second about the board's axes, as an ideal gyroscope shows.
  package func rotation(at time: Duration) -> SIMD3<Double> {
    let seconds = time.inSeconds
    var rates =
      style == .resting
      ? Attitude()
      : Attitude(yaw: yaw.rate(at: seconds), pitch: pitch.rate(at: seconds), roll: roll.rate(at: seconds))
    for turn in occurrences.compactMap({ $0.turn(at: time) }) { rates = rates + turn.rates }
    return attitude(at: time).rotation(rates: rates) * Attitude.degrees
  }

  /// The earth's field as the board sees it, in microtesla.
  package func magneticField(at time: Duration) -> SIMD3<Double> {
    attitude(at: time).seen(Self.earthField)
  }

  /// The upward axis as the board sees it: what an accelerometer at rest shows, in g.
  package func gravity(at time: Duration) -> SIMD3<Double> { attitude(at: time).seen([0, 0, 1]) }

  /// What an ideal accelerometer shows, in g: x right, y away, z up; about +1 on z at rest (protocol
  /// reference 7).
  package func acceleration(at time: Duration) -> SIMD3<Double> {
    let up = gravity(at: time)
    var total = style == .resting ? .zero : vibration(at: time.inSeconds)
    var weight = 1.0
    for occurrence in occurrences {
      let effect = occurrence.effect(at: time, up: up)
      total += effect.added
      weight *= effect.weight
    }
    return up * weight + total
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

extension PhysicalEvent {
  fileprivate var isTurn: Bool { if case .turn = self { true } else { false } }
}
