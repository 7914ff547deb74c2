/// Which way up a board lies: portrait or landscape, face up or down; reported on change (protocol reference 8.6).
struct OrientationDetector: MotionDetector {
  /// In g: how far one axis must outdo the other.
  let hysteresis: Double
  /// Nearer to flat than this portrait and landscape do not change: eight times the squared tangent.
  let theta: Double
  /// Whether face up and down are reported.
  let detectsFace: Bool
  /// Upright and face up, as the chip starts.
  private var last: UInt8 = 0x01

  init(hysteresis: Double, theta: Double, detectsFace: Bool) {
    self.hysteresis = hysteresis
    self.theta = theta
    self.detectsFace = detectsFace
  }

  mutating func feel(_ acceleration: SIMD3<Double>, at now: Duration) -> UInt8? {
    var side = last & 0x06
    let (x, y, z) = (acceleration.x, acceleration.y, acceleration.z)
    if (x * x + y * y) * 8 > theta * z * z, abs(abs(x) - abs(y)) > hysteresis {
      side = abs(x) > abs(y) ? (x > 0 ? 0x00 : 0x02) : (y > 0 ? 0x04 : 0x06)
    }
    let wasDown = last & 0x08 != 0
    let isDown = detectsFace && (wasDown ? z < hysteresis : z < -hysteresis)
    let flags = 0x01 | side | (isDown ? 0x08 : 0)
    defer { last = flags }
    return flags == last ? nil : flags
  }
}
