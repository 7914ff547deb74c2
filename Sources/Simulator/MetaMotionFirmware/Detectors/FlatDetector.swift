/// Whether a board lies flat; reported on change (protocol reference 8.7).
struct FlatDetector: MotionDetector {
  /// In degrees from level.
  let angle: Double
  let hold: Duration
  /// From revision 2 of the module on the flags have the face as well.
  let detectsFace: Bool
  private var isFlat = false
  private var changingSince: Duration?

  init(angle: Double, hold: Duration, detectsFace: Bool) {
    self.angle = angle
    self.hold = hold
    self.detectsFace = detectsFace
  }

  mutating func feel(_ acceleration: SIMD3<Double>, at now: Duration) -> UInt8? {
    guard (Attitude.tilt(of: acceleration) < angle) != isFlat else {
      changingSince = nil
      return nil
    }
    let since = changingSince ?? now
    changingSince = since
    guard now - since >= hold else { return nil }
    changingSince = nil
    isFlat.toggle()
    guard detectsFace else { return isFlat ? 0x03 : 0x01 }
    return 0x01 | (acceleration.z < 0 ? 0x02 : 0) | (isFlat ? 0x04 : 0)
  }
}
