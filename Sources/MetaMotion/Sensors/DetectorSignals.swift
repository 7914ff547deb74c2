/// Where detectors tell what they noticed, for programs on the board (MQTT contract 2.4, 3.7).
///
/// Several may share a register: what waits for one then hears the others as well, as far as they run.
enum DetectorSignals {
  /// The register in which `detector` tells; nil where the chip has no such detector.
  static func register(of detector: String, on chip: Accelerometer.Chip?) -> Register? {
    if detector == "magnetic-alarm" { return Magnetometer.alarm }
    return chip == .bmi270 ? bmi270[detector] : bmi160[detector]
  }

  private static let bmi160: [String: Register] = [
    "any-motion": BMI160Detectors.motion.data, "slow-motion": BMI160Detectors.motion.data,
    "no-motion": BMI160Detectors.motion.data, "significant-motion": BMI160Detectors.motion.data,
    "low-g": BMI160Detectors.lowHighG.data, "high-g": BMI160Detectors.lowHighG.data,
    "tap": BMI160Detectors.tap.data, "orientation": BMI160Detectors.orientation.data,
    "flat": BMI160Detectors.flat.data, "step": BMI160Detectors.steps.data,
  ]

  private static let bmi270: [String: Register] = [
    "any-motion": BMI270Features.motion, "no-motion": BMI270Features.motion,
    "significant-motion": BMI270Features.motion, "wrist-gesture": BMI270Features.wrist,
    "wrist-wakeup": BMI270Features.wrist, "step": BMI270Features.steps,
    "activity": BMI270Features.activity,
  ]
}
