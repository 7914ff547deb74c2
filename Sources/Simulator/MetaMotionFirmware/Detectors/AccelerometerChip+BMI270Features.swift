import FleetModel

extension AccelerometerChip {
  /// Every feature needs its bit in both masks: enabled, and told.
  private static let bmi270Switches: [UInt8] = [0x06, 0x07]
  private static let gPerThreshold = 1.0 / 2048

  /// Protocol reference 9.3 to 9.5, without the wrist's, which are told as they happen.
  static let bmi270Features: [AccelerometerFeature] = [
    AccelerometerFeature(switches: bmi270Switches, bits: 0x01, output: 0x09) { state in
      let block = Duration.milliseconds(20 * Int64(state.word(0, ofBlock: 3)))
      return SignificantMotionDetector(threshold: 0.1, skip: block, proof: block, flags: 0x01)
    },
    AccelerometerFeature(switches: bmi270Switches, bits: 0x20, output: 0x09) { state in
      let duration = state.word(0, ofBlock: 2)
      return StillnessDetector(
        axes: UInt8(duration >> 13), threshold: Double(state.word(2, ofBlock: 2) & 0x07FF) * gPerThreshold,
        duration: .milliseconds(20 * Int64(duration & 0x1FFF)), flags: 0x02)
    },
    AccelerometerFeature(switches: bmi270Switches, bits: 0x40, output: 0x09) { state in
      // The chip counts 50 times a second whatever the data rate; here a sample is a count.
      let duration = state.word(0, ofBlock: 1)
      return SlopeDetector(
        axes: UInt8(duration >> 13), threshold: Double(state.word(2, ofBlock: 1) & 0x07FF) * gPerThreshold,
        count: Int(duration & 0x1FFF)
      ) { _ in 0x04 }
    },
    AccelerometerFeature(switches: bmi270Switches, bits: 0x04, output: 0x0C) { _ in ActivityDetector() },
  ]

  /// Protocol reference 9.4, index 7, and 9.5.
  static let bmi270Steps = StepFeature(
    output: 0x0B, detects: { state in bmi270Switches.allSatisfy { state.mask($0) & 0x80 != 0 } },
    counts: { $0.mask(0x06) & 0x02 != 0 },
    watermark: { state in
      state.mask(0x07) & 0x02 == 0 ? 0 : 20 * Int(state.word(2, ofBlock: 7) & 0x03FF)
    },
    pedometer: { _ in Pedometer(threshold: 0.12, heldBack: 0) })
}
