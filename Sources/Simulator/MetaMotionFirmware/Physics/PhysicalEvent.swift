/// Something that somebody does with a board on purpose, on top of its everyday motion.
package enum PhysicalEvent: Sendable, Hashable {
  /// One of the six ways a box can lie.
  package enum Pose: String, Sendable, CaseIterable {
    case faceUp = "face-up"
    case faceDown = "face-down"
    case upright
    case upsideDown = "upside-down"
    case landscapeLeft = "landscape-left"
    case landscapeRight = "landscape-right"
  }

  /// A finger taps on the board's face.
  case tap
  /// Twice, with a pause between that detectors take for a double tap.
  case doubleTap
  /// To and fro along the x axis, for so long.
  case shake(Duration)
  /// So many steps, one per `interval`.
  case walk(steps: Int, interval: Duration)
  /// Weightless for a while.
  case fall(Duration)
  /// Taken into another position within half a second, and left there.
  case turn(Pose)
  /// A movement of a wrist that the chip makes a gesture of: its code from 1 to 5 (protocol reference 9.5).
  case gesture(code: UInt8)
  /// An arm is raised to look at the watch.
  case raiseWrist
}
