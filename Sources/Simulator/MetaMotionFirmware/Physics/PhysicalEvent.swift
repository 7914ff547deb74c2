/// Something that somebody does with a board on purpose, on top of its everyday motion.
package enum PhysicalEvent: Sendable, Equatable {
  /// One of the six ways a box can lie.
  package enum Pose: Sendable, CaseIterable {
    case faceUp, faceDown, upright, upsideDown, landscapeLeft, landscapeRight
  }

  /// A finger taps on the board's face.
  case tap
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
