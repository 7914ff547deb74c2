import FleetModel
import Glibc

/// A physical event with its time: what it adds to a board's motion while it lasts.
struct Occurrence: Sendable {
  private static let tapLength = 0.035
  private static let tapStrength = 4.0
  private static let stepStrength = 0.45
  private static let turnLength = 0.5

  let event: PhysicalEvent
  let start: Duration

  /// When it no longer matters; nil for what stays.
  var end: Duration? {
    switch event {
    case .tap: start + .seconds(Self.tapLength)
    case .walk(let steps, let interval): start + interval * steps
    case .fall(let length): start + length
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
    case .tap:
      return ([0, 0, -Self.tapStrength * sin(.pi * elapsed / Self.tapLength)], 1)
    case .walk(_, let interval):
      return (up * (Self.stepStrength * sin(2 * .pi * elapsed / interval.inSeconds)), 1)
    case .fall: return (.zero, 0)
    case .turn, .gesture, .raiseWrist: return (.zero, 1)
    }
  }

  /// How far a turn has come, from 0 to 1, and how fast it goes per second; nil for what is no turn.
  func turn(at time: Duration) -> (target: Attitude, share: Double, speed: Double)? {
    guard case .turn(let pose) = event else { return nil }
    let elapsed = (time - start).inSeconds
    let isUnderWay = (0..<Self.turnLength).contains(elapsed)
    return (
      pose.attitude, min(max(elapsed / Self.turnLength, 0), 1), isUnderWay ? 1 / Self.turnLength : 0
    )
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
