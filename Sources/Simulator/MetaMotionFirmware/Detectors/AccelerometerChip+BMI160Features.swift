import FleetModel

extension AccelerometerChip {
  /// Protocol reference 8.3 to 8.8.
  static let bmi160Features: [AccelerometerFeature] = [
    AccelerometerFeature(switches: [0x06], bits: 0x07, output: 0x08) { state in
      HighGravityDetector(
        axes: state.mask(0x06), threshold: Double(state.byte(4, of: 0x07)) * state.fullScale / 256,
        hysteresis: Double(state.byte(2, of: 0x07) >> 6) * state.fullScale / 16,
        duration: .microseconds((Int(state.byte(3, of: 0x07)) + 1) * 2500))
    },
    AccelerometerFeature(switches: [0x06], bits: 0x08, output: 0x08) { state in
      LowGravityDetector(
        threshold: Double(state.byte(1, of: 0x07)) * 0.00781,
        hysteresis: Double(state.byte(2, of: 0x07) & 0x03) * 0.125,
        sums: state.byte(2, of: 0x07) & 0x04 != 0,
        duration: .microseconds((Int(state.byte(0, of: 0x07)) + 1) * 2500))
    },
    AccelerometerFeature(switches: [0x09], bits: 0x07, output: 0x0B) { state in
      let threshold = Double(state.byte(1, of: 0x0A)) * state.fullScale / 512
      guard state.byte(3, of: 0x0A) & 0x02 == 0 else {
        return SignificantMotionDetector(
          threshold: threshold, skip: .milliseconds(1500 << Int(state.byte(3, of: 0x0A) >> 2 & 0x03)),
          proof: .milliseconds(250 << Int(state.byte(3, of: 0x0A) >> 4 & 0x03)), flags: 0x01)
      }
      return SlopeDetector(
        axes: state.mask(0x09) & 0x07, threshold: threshold, count: Int(state.byte(0, of: 0x0A) & 0x03) + 1
      ) { 0x02 | $0.flags(first: 0x08, sign: 0x40) }
    },
    AccelerometerFeature(switches: [0x09], bits: 0x38, output: 0x0B) { state in
      let threshold = Double(state.byte(2, of: 0x0A)) * state.fullScale / 512
      let axes = state.mask(0x09) >> 3 & 0x07
      let code = state.byte(0, of: 0x0A) >> 2
      if state.byte(3, of: 0x0A) & 0x01 == 0 {
        return SlopeDetector(axes: axes, threshold: threshold, count: Int(code) + 1) { _ in 0x04 }
      }
      return StillnessDetector(
        axes: axes, threshold: threshold, duration: stillness(code: code), flags: 0x04)
    },
    AccelerometerFeature(switches: [0x0C], bits: 0x03, output: 0x0E) { state in
      let timing = state.byte(0, of: 0x0D)
      let windows = [50, 100, 150, 200, 250, 375, 500, 700]
      return TapDetector(
        threshold: Double(state.byte(1, of: 0x0D) & 0x1F) * state.fullScale / 32,
        shock: .milliseconds(timing & 0x40 == 0 ? 50 : 75),
        quiet: .milliseconds(timing & 0x80 == 0 ? 30 : 20),
        window: .milliseconds(windows[Int(timing & 0x07)]), enabled: state.mask(0x0C))
    },
    AccelerometerFeature(switches: [0x0F], bits: 0x01, output: 0x11) { state in
      OrientationDetector(
        hysteresis: Double(state.byte(0, of: 0x10) >> 4) * 0.0625,
        theta: Double(state.byte(1, of: 0x10) & 0x3F), detectsFace: state.byte(1, of: 0x10) & 0x40 != 0)
    },
    AccelerometerFeature(switches: [0x12], bits: 0x01, output: 0x14) { state in
      let hold = Int(state.byte(1, of: 0x13) >> 4 & 0x03)
      return FlatDetector(
        angle: Double(state.byte(0, of: 0x13) & 0x3F) * 44.8 / 63,
        hold: .milliseconds(hold == 0 ? 0 : 320 << hold), detectsFace: state.revision >= 2)
    },
  ]

  /// Protocol reference 8.8.
  static let bmi160Steps = StepFeature(
    output: 0x19, detects: { $0.mask(0x17) & 0x01 != 0 }, counts: { $0.byte(1, of: 0x18) & 0x08 != 0 },
    watermark: { _ in 0 },
    pedometer: { state in
      Pedometer(
        threshold: 0.06 * Double(state.byte(0, of: 0x18) >> 3 & 0x03),
        heldBack: Int(state.byte(1, of: 0x18) & 0x07))
    })

  /// The no-motion duration's code: three ranges with steps of their own.
  private static func stillness(code: UInt8) -> Duration {
    switch code {
    case 0x20...: .milliseconds((Int(code & 0x1F) + 11) * 10_240)
    case 0x10...: .milliseconds((Int(code & 0x0F) + 5) * 5120)
    default: .milliseconds((Int(code) + 1) * 1280)
    }
  }
}
