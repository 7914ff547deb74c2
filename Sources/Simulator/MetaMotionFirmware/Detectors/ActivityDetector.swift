/// Still, walking or running, by the pace of steps; reported on change (protocol reference 9.5).
struct ActivityDetector: MotionDetector {
  private enum Activity: UInt8 {
    case still = 0
    case walking = 1
    case running = 2
  }

  private static let fastestWalk = Duration.milliseconds(400)

  private var pedometer = Pedometer(threshold: 0.15, heldBack: 3)
  private var last = Activity.still

  mutating func feel(_ acceleration: SIMD3<Double>, at now: Duration) -> UInt8? {
    let steps = pedometer.feel(acceleration, at: now)
    var activity = last
    if steps > 0, let interval = pedometer.interval {
      activity = interval < Self.fastestWalk ? .running : .walking
    } else if pedometer.interval == nil {
      activity = .still
    }
    guard activity != last else { return nil }
    last = activity
    return activity.rawValue << 1
  }
}
