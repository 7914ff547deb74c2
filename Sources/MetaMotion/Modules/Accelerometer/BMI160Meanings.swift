import FleetModel

/// Registers of what the BMI160 notices by itself (protocol reference, section 8).
enum BMI160Meanings {
  static let registers: [RegisterMeaning] = [
    .setting(0x05, "filters of the detectors") { $0.bytes("codes", 2) },
    .mask(0x06, "low and high g, switches", ["high x", "high y", "high z", "low"]),
    .setting(0x07, "low and high g, settings", lowHighG),
    .signal(0x08, "low or high g") { $0.noticed(by: .lowHighG([.lowG, .highG])) },
    .mask(
      0x09, "motion, switches", ["any x", "any y", "any z", "no or slow x", "no or slow y", "no or slow z"]),
    .setting(0x0A, "motion, settings", motion),
    .signal(0x0B, "motion") { reader in
      reader.noticed(by: .motion160([.anyMotion, .significantMotion, .noMotion]))
    },
    .mask(0x0C, "tap, switches", ["double", "single"]), .setting(0x0D, "tap, settings", tap),
    .signal(0x0E, "tap") { $0.noticed(by: .tap) },
    .mask(0x0F, "orientation, switches", ["on"]), .setting(0x10, "orientation, settings", orientation),
    .signal(0x11, "orientation") { $0.noticed(by: .orientation) },
    .mask(0x12, "flat, switches", ["on"]), .setting(0x13, "flat, settings", flat),
    .signal(0x14, "flat") { reader in
      // Which bit it is depends on the revision of the module.
      reader.bits("flags", ["told", "flat before revision 2, then face down", "flat"])
    },
    .setting(0x15, "offsets") { reader in
      for axis in ["x", "y", "z"] { reader.scaled("acceleration \(axis)", Int8.self, per: 1000 / 3.9, "g") }
      for axis in ["x", "y", "z"] { reader.number("rotation \(axis), low byte", UInt8.self) }
      reader.parts(
        .init("rotation x, high bits", 2), .init("rotation y, high bits", 2),
        .init("rotation z, high bits", 2), .init("acceleration", 1, ["off", "on"]),
        .init("rotation", 1, ["off", "on"]))
    },
    .value(0x16, "power state") {
      $0.parts(.init("magnetometer", 2), .init("gyroscope", 2), .init("accelerometer", 2))
    },
    .mask(0x17, "step detector, switches", ["on"]), .setting(0x18, "steps, settings", steps),
    .signal(0x19, "step detector") { $0.flag("step") },
    .value(0x1A, "step counter", BMI160Detectors.stepCount.sample),
    .action(0x1B, "step counter, back to zero"),
  ]

  /// A threshold in steps of a share of the full scale; in g where that is known.
  private static func threshold(_ name: String, _ share: Double, _ reader: inout PayloadReader) {
    if let range = reader.context.scales[Accelerometer.range] {
      reader.parts(.init(name, 8, by: range / share, "g"))
    } else {
      reader.parts(.init(name, 8, by: 1, "/\(ParameterType.plain(share)) of the range"))
    }
  }

  private static let lowHighG: RegisterMeaning.Layout = { reader in
    reader.parts(.init("low duration", 8, from: 2.5, by: 2.5, "ms"))
    reader.parts(.init("low threshold", 8, by: 0.00781, "g"))
    reader.parts(
      .init("low hysteresis", 2, by: 0.125, "g"), .init("low by", 1, ["single axes", "sum of axes"]),
      .unused(3), .init("high hysteresis", 2, by: 1, "/16 of the range"))
    reader.parts(.init("high duration", 8, from: 2.5, by: 2.5, "ms"))
    threshold("high threshold", 256, &reader)
  }

  private static let motion: RegisterMeaning.Layout = { reader in
    reader.parts(.init("any motion, samples", 2, from: 1), .init("no or slow motion, code", 6))
    threshold("any motion", 512, &reader)
    threshold("no or slow motion", 512, &reader)
    reader.parts(
      .init("second", 1, ["slow motion", "no motion"]),
      .init("first", 1, ["any motion", "significant motion"]),
      .init("skip", 2, ["1500", "3000", "6000", "12000"], "ms"),
      .init("proof", 2, ["250", "500", "1000", "2000"], "ms"))
  }

  private static let tap: RegisterMeaning.Layout = { reader in
    reader.parts(
      .init("window", 3, BMI160Detectors.Tap.windows.map(ParameterType.plain), "ms"), .unused(3),
      .init("shock", 1, ["50", "75"], "ms"), .init("quiet", 1, ["30", "20"], "ms"))
    if let range = reader.context.scales[Accelerometer.range] {
      reader.parts(.init("threshold", 5, by: range / 32, "g"))
    } else {
      reader.parts(.init("threshold", 5, by: 1, "/32 of the range"))
    }
  }

  private static let orientation: RegisterMeaning.Layout = { reader in
    reader.parts(
      .init("mode", 2, BMI160Detectors.Orientation.modes), .init("blocking", 2),
      .init("hysteresis", 4, by: 0.0625, "g"))
    reader.parts(
      .init("theta", 6), .init("up and down", 1, ["not told apart", "told apart"]),
      .init("axes", 1, ["as they are", "exchanged"]))
  }

  private static let flat: RegisterMeaning.Layout = { reader in
    reader.parts(.init("theta", 6, by: BMI160Detectors.Flat.thetaStep, "°"))
    reader.parts(
      .init("hysteresis", 3), .unused(1), .init("hold", 2, ["0", "640", "1280", "2560"], "ms"))
  }

  private static let steps: RegisterMeaning.Layout = { reader in
    let bytes = Array(reader.rest.prefix(2))
    let mode = BMI160Detectors.Sensitivity.allCases.first {
      bytes == $0.bytes(counting: false) || bytes == $0.bytes(counting: true)
    }
    guard reader.passed(2, if: mode != nil), let mode else { return reader.bytes("settings", 2) }
    reader.add("sensitivity", .string(mode.rawValue))
    reader.add("counter", .string(bytes == mode.bytes(counting: true) ? "on" : "off"))
  }
}
