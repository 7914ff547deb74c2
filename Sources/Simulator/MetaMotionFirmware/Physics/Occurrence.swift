import FleetModel
import Glibc

/// A physical event with its time: what it adds to a board's motion while it lasts.
struct Occurrence: Sendable {
  private static let tapLength = 0.035
  private static let tapStrength = 4.0
  /// From the beginning of one tap to that of the next.
  private static let tapPause = 0.15
  private static let shakeStrength = 3.0
  private static let shakesPerSecond = 4.0
  private static let stepStrength = 0.45
  private static let turnLength = 0.5

  let event: PhysicalEvent
  let start: Duration
  /// How somebody had turned the board before.
  let from: Attitude

  /// When it no longer matters; nil for what stays.
  var end: Duration? {
    switch event {
    case .tap: start + .seconds(Self.tapLength)
    case .doubleTap: start + .seconds(Self.tapPause + Self.tapLength)
    case .walk(let steps, let interval): start + interval * steps
    case .fall(let length), .shake(let length): start + length
    case .turn: nil
    case .gesture, .raiseWrist: start
    }
  }

  /// What is added to the acceleration, in g, and by how much gravity is felt. `up` is the upward axis as the
  /// board sees it.
  func effect(at time: Duration, up: SIMD3<Double>) -> (added: SIMD3<Double>, weight: Double) {
    let elapsed = (time - start).inSeconds
    guard elapsed >= 0, let end, time < end else { return (.zero, 1) }
    switch event {
    case .tap: return ([0, 0, Self.jerk(after: elapsed)], 1)
    case .doubleTap:
      return ([0, 0, Self.jerk(after: elapsed) + Self.jerk(after: elapsed - Self.tapPause)], 1)
    case .shake: return ([Self.shakeStrength * sin(2 * .pi * Self.shakesPerSecond * elapsed), 0, 0], 1)
    case .walk(_, let interval):
      return (up * (Self.stepStrength * sin(2 * .pi * elapsed / interval.inSeconds)), 1)
    case .fall: return (.zero, 0)
    case .turn, .gesture, .raiseWrist: return (.zero, 1)
    }
  }

  /// What a finger does to the face, in g; nothing but while it touches it.
  private static func jerk(after elapsed: Double) -> Double {
    (0..<tapLength).contains(elapsed) ? -tapStrength * sin(.pi * elapsed / tapLength) : 0
  }

  /// How far somebody has turned the board, and how fast that changes, in radians per second; nil for what is no turn.
  func turn(at time: Duration) -> (attitude: Attitude, rates: Attitude)? {
    guard case .turn(let pose) = event else { return nil }
    let elapsed = (time - start).inSeconds
    let (way, share) = (pose.attitude - from, min(max(elapsed / Self.turnLength, 0), 1))
    let isUnderWay = (0..<Self.turnLength).contains(elapsed)
    return (from + way * share, way * (isUnderWay ? 1 / Self.turnLength : 0))
  }
}

extension PhysicalEvent.Pose {
  /// Upright means that the x axis points to the sky (the chip's orientation table, protocol reference 8.6).
  var attitude: Attitude {
    switch self {
    case .faceUp: Attitude()
    case .faceDown: Attitude(roll: .pi)
    case .upright: Attitude(pitch: -.pi / 2)
    case .upsideDown: Attitude(pitch: .pi / 2)
    case .landscapeLeft: Attitude(roll: .pi / 2)
    case .landscapeRight: Attitude(roll: -.pi / 2)
    }
  }
}
