import FleetModel

/// What the BMI160 notices by itself: registers, switches and settings as bytes (protocol reference, section 8).
enum BMI160Detectors {
  static let lowHighG = DetectorRegisters(enable: 0x06, settings: 0x07, data: 0x08)
  static let motion = DetectorRegisters(enable: 0x09, settings: 0x0A, data: 0x0B)
  static let tap = DetectorRegisters(enable: 0x0C, settings: 0x0D, data: 0x0E)
  static let orientation = DetectorRegisters(enable: 0x0F, settings: 0x10, data: 0x11)
  static let flat = DetectorRegisters(enable: 0x12, settings: 0x13, data: 0x14)
  static let steps = DetectorRegisters(enable: 0x17, settings: 0x18, data: 0x19)
  static let stepReset = Register(.accelerometer, 0x1B).write()
  /// The count, which is asked for.
  static let stepCount = SensorSignal(
    name: "step-count", stream: "steps", title: "step counter", register: Register(.accelerometer, 0x1A),
    access: .read, values: .init(number: .uint16, labels: ["steps"]))

  /// What has a canonical name of its own: flags as the chip writes them.
  static let signals: [SensorSignal] = [
    .flags("orientation", stream: "orientation", in: orientation.data),
    .flags("steps", stream: "steps", in: steps.data),
    .flags("bosch-motion", in: motion.data),
  ]

  /// Where each detector tells.
  static let registers: [String: Register] = [
    "any-motion": motion.data, "slow-motion": motion.data, "no-motion": motion.data,
    "significant-motion": motion.data, "low-g": lowHighG.data, "high-g": lowHighG.data, "tap": tap.data,
    "orientation": orientation.data, "flat": flat.data, "step": steps.data,
  ]
  /// Revision of the module from which flatness is told by another bit, and with the face that is up.
  static let firstRevisionWithFace: UInt8 = 2

  /// Switches for any and significant motion, by axis, and for slow and no motion.
  static let anyMotionBits: UInt8 = 0x07
  static let noMotionBits: UInt8 = 0x38
  static let lowGBit: UInt8 = 0x08
  static let allLowHighBits: UInt8 = 0x0F
  static let singleTapBit: UInt8 = 0b10
  static let doubleTapBit: UInt8 = 0b01

  /// Settings of any, slow, no and significant motion, which share four bytes; as the chip starts.
  struct Motion: Hashable, Sendable {
    /// Samples in a row for any motion, 1–4.
    var anyCount = 1
    /// Steps of 1/512 of the full scale.
    var anyThreshold: UInt8 = 0x14
    /// Samples in a row of slow motion less one, or the code of a duration without motion.
    var slowCode: UInt8 = 0
    /// Steps as of `anyThreshold`.
    var slowThreshold: UInt8 = 0x14
    var isNoMotion = false
    var isSignificant = false
    /// Positions in `skips` and `proofs`.
    var skip: UInt8 = 1
    var proof: UInt8 = 1

    static let skips: [Double] = [1500, 3000, 6000, 12_000]
    static let proofs: [Double] = [250, 500, 1000, 2000]

    var bytes: [UInt8] {
      [
        UInt8(truncatingIfNeeded: anyCount - 1) & 0x03 | slowCode << 2, anyThreshold, slowThreshold,
        (isNoMotion ? 1 : 0) | (isSignificant ? 2 : 0) | skip << 2 | proof << 4,
      ]
    }

    /// The code of a duration without motion, rounded down to what the chip can, and that duration in milliseconds.
    static func noMotion(milliseconds: Double) -> (code: UInt8, milliseconds: Double) {
      let grids: [(first: Double, step: Double, flag: UInt8)] = [
        (112_640, 10_240, 0x20), (25_600, 5_120, 0x10), (1_280, 1_280, 0),
      ]
      let wanted = min(max(milliseconds, 1_280), 430_080)
      for (first, step, flag) in grids where wanted >= first {
        let index = ((wanted - first) / step).rounded(.down)
        // Between two grids counts the last of the lower one.
        let last: Double = flag == 0x10 ? 15 : flag == 0 ? 15 : 31
        let onBoard = min(index, last)
        return (UInt8(onBoard) | flag, first + onBoard * step)
      }
      return (0, 1_280)
    }
  }

  /// Settings of low and high g, which share five bytes; as the chip starts.
  struct LowHighG: Hashable, Sendable {
    /// Steps of 2.5 ms less one.
    var lowDuration: UInt8 = 0x07
    /// Steps of 7.81 mg.
    var lowThreshold: UInt8 = 0x30
    /// Steps of 125 mg, 0–3.
    var lowHysteresis: UInt8 = 1
    var isSum = false
    /// Steps of 1/16 of the full scale, 0–3.
    var highHysteresis: UInt8 = 2
    /// Steps of 2.5 ms less one.
    var highDuration: UInt8 = 0x0B
    /// Steps of 1/256 of the full scale.
    var highThreshold: UInt8 = 0xC0

    var bytes: [UInt8] {
      [
        lowDuration, lowThreshold, lowHysteresis & 0x03 | (isSum ? 4 : 0) | highHysteresis << 6, highDuration,
        highThreshold,
      ]
    }
  }

  /// Settings of taps; as the chip starts.
  struct Tap: Hashable, Sendable {
    /// Position in `windows`.
    var window: UInt8 = 4
    var isLongShock = false
    var isShortQuiet = false
    /// Steps of 1/32 of the full scale, 0–31.
    var threshold: UInt8 = 0x0A

    static let windows: [Double] = [50, 100, 150, 200, 250, 375, 500, 700]

    /// Trap T01: shock is bit 6, quiet bit 7.
    var bytes: [UInt8] {
      [window & 0x07 | (isLongShock ? 0x40 : 0) | (isShortQuiet ? 0x80 : 0), threshold & 0x1F]
    }
  }

  /// Settings of the orientation; as the chip starts.
  struct Orientation: Hashable, Sendable {
    /// Position in `modes`.
    var mode: UInt8 = 0
    var blocking: UInt8 = 2
    /// Steps of 62.5 mg, 0–15.
    var hysteresis: UInt8 = 1
    var theta: UInt8 = 8
    var detectsUpsideDown = true

    static let modes = ["symmetrical", "high-asymmetrical", "low-asymmetrical"]

    var bytes: [UInt8] {
      [mode & 0x03 | (blocking & 0x03) << 2 | hysteresis << 4, theta & 0x3F | (detectsUpsideDown ? 0x40 : 0)]
    }
  }

  /// Settings of flatness; as the chip starts.
  struct Flat: Hashable, Sendable {
    /// Steps of 44.8/63 degrees, 0–63.
    var theta: UInt8 = 8
    var hysteresis: UInt8 = 1
    /// Position in `holds`.
    var hold: UInt8 = 1

    static let holds: [Double] = [0, 640, 1280, 2560]
    static let thetaStep = 44.8 / 63

    var bytes: [UInt8] { [theta & 0x3F, hysteresis & 0x07 | hold << 4] }
  }

  /// How readily steps are counted, by the contract's words.
  enum Sensitivity: String, Sendable, CaseIterable {
    case normal, sensitive, robust

    func bytes(counting: Bool) -> [UInt8] {
      let counter: UInt8 = counting ? 0x08 : 0
      switch self {
      case .normal: return [0x15, 0x03 | counter]
      case .sensitive: return [0x2D, counter]
      case .robust: return [0x1D, 0x07 | counter]
      }
    }
  }
}

/// The registers of one group of detectors: switches, settings, and where it tells.
struct DetectorRegisters: Hashable, Sendable {
  let enable, settings, data: Register

  init(enable: UInt8, settings: UInt8, data: UInt8) {
    self.enable = Register(.accelerometer, enable)
    self.settings = Register(.accelerometer, settings)
    self.data = Register(.accelerometer, data)
  }

  /// How it runs: settings first, then the switches of `bits`.
  func run(_ settings: [UInt8], bits: UInt8, allBits: UInt8, on base: SensorRun.Unit) -> SensorRun {
    SensorRun(
      unit: .detector(register: enable.number, bits: 0), configure: [.write(self.settings.write(settings))],
      registers: [data], start: [enable.write(set: bits, clear: 0)],
      stop: [enable.write(set: 0, clear: allBits)], proof: .init(register: enable, bits: bits), base: base)
  }

  /// What may have been left running.
  func leftOver(allBits: UInt8) -> SensorRun {
    SensorRun(
      unit: .detector(register: enable.number, bits: 0), registers: [data],
      stop: [enable.write(set: 0, clear: allBits)])
  }
}
