import FleetModel

/// What the BMI160 notices by itself and the steps it counts, as streams (protocol reference, section 8; MQTT contract
/// 2.4). It goes by how the accelerometer runs.
struct BMI160Source: StreamSource {
  private let detectsFace: Bool
  private var noticed: Detectors = []
  private var motion = BMI160Detectors.Motion()
  private var lowHighG = BMI160Detectors.LowHighG()
  private var highAxes: UInt8 = 0
  private var tap: (settings: BMI160Detectors.Tap, bits: UInt8)?
  private var orientation: BMI160Detectors.Orientation?
  private var flat: BMI160Detectors.Flat?
  private var sensitivity = SharedSettings<BMI160Detectors.Sensitivity>()
  private var countsSteps = false
  private var reportsSteps = false

  init?(on board: Inventory) {
    guard let chip = board.accelerometer, chip.chip == .bmi160 else { return nil }
    detectsFace = chip.revision >= BMI160Detectors.firstRevisionWithFace
  }

  private static let foreignKeys: [String: [String]] = [
    "any-motion": ["duration_ms", "axes"], "no-motion": ["axes"], "significant-motion": ["block_ms"],
    "steps": ["watermark_steps"],
  ]
  private static let names: Set = [
    "any-motion", "slow-motion", "no-motion", "significant-motion", "low-g", "high-g", "tap", "orientation",
    "flat", "step", "steps",
  ]

  func offers(for stream: StreamDefinition) -> JSONObject? {
    guard Self.names.contains(stream.name) else { return nil }
    var offers = stream.listedOffers
    for key in Self.foreignKeys[stream.name] ?? [] { offers[key] = nil }
    return offers
  }

  mutating func take(_ order: StreamOrder, _ chips: inout ChipUse) throws(CommandFailure) -> StreamTaken {
    var quantity = Quantity(order)
    try quantity.refuse(Self.foreignKeys[order.name] ?? [], of: .bmi160)
    let unit = try take(order, &quantity, range: Double(chips.motion.range.rawValue))
    chips.needsAccelerometer = true
    if order.name == "steps" {
      let rule = order.readRule ?? .every(.seconds(60))
      quantity.keepPolling(rule)
      return StreamTaken(quantity.keys, period: rule.interval, isPolled: true, unit: unit)
    }
    return StreamTaken(quantity.keys, unit: unit)
  }

  private mutating func take(
    _ order: StreamOrder, _ quantity: inout Quantity, range: Double
  ) throws(CommandFailure) -> SensorRun.Unit {
    switch order.name {
    case "any-motion", "slow-motion", "no-motion", "significant-motion":
      try takeMotion(order.name, &quantity, range: range)
      return Self.unit(BMI160Detectors.motion)
    case "low-g", "high-g":
      try takeLowHighG(order.name, &quantity, range: range)
      return Self.unit(BMI160Detectors.lowHighG)
    case "tap":
      try takeTap(&quantity, range: range)
      return Self.unit(BMI160Detectors.tap)
    case "orientation":
      try takeOrientation(&quantity)
      return Self.unit(BMI160Detectors.orientation)
    case "flat":
      try takeFlat(&quantity)
      return Self.unit(BMI160Detectors.flat)
    default:
      try takeSteps(order.name, &quantity)
      return Self.unit(BMI160Detectors.steps)
    }
  }

  private static func unit(_ registers: DetectorRegisters) -> SensorRun.Unit {
    .detector(register: registers.enable.number, bits: 0)
  }

  private mutating func takeMotion(
    _ name: String, _ quantity: inout Quantity, range: Double
  ) throws(CommandFailure) {
    // Trap T02: truncated. The vendor's steps are rounded to five digits: 3.91 mg at 2 g.
    let step = (range / 512 * 1e5).rounded() / 1e5
    let threshold = UInt8(
      try quantity.steps("threshold_g", standard: 0.1, step: step, limits: 1...255))
    var wanted = motion
    switch name {
    case "any-motion":
      try exclude(.significantMotion, "significant-motion", for: name)
      (wanted.anyThreshold, wanted.anyCount) = (threshold, quantity.whole("count", standard: 1))
      noticed.insert(.anyMotion)
    case "significant-motion":
      try exclude(.anyMotion, "any-motion", for: name)
      (wanted.anyThreshold, wanted.isSignificant) = (threshold, true)
      wanted.skip = quantity.position("skip_ms", standard: 3000, in: BMI160Detectors.Motion.skips)
      wanted.proof = quantity.position("proof_ms", standard: 500, in: BMI160Detectors.Motion.proofs)
      noticed.insert(.significantMotion)
    case "slow-motion":
      try exclude(.noMotion, "no-motion", for: name)
      wanted.slowThreshold = threshold
      wanted.slowCode = UInt8(truncatingIfNeeded: quantity.whole("count", standard: 5) - 1)
      noticed.insert(.slowMotion)
    default:
      try exclude(.slowMotion, "slow-motion", for: name)
      let duration = BMI160Detectors.Motion.noMotion(
        milliseconds: quantity.keys["duration_ms"]?.number ?? 10_240)
      (wanted.slowThreshold, wanted.slowCode, wanted.isNoMotion) = (threshold, duration.code, true)
      quantity.set("duration_ms", duration.milliseconds)
      noticed.insert(.noMotion)
    }
    motion = wanted
  }

  private func exclude(_ other: Detectors, _ otherName: String, for name: String) throws(CommandFailure) {
    guard noticed.contains(other) else { return }
    throw .invalid(
      "\(name) and \(otherName) cannot run together on this board: they share registers of the chip")
  }

  private mutating func takeLowHighG(
    _ name: String, _ quantity: inout Quantity, range: Double
  ) throws(CommandFailure) {
    let isLow = name == "low-g"
    let duration = UInt8(
      try quantity.steps(
        "duration_ms", standard: isLow ? 20 : 30, step: 2.5, from: 2.5, limits: 0...255))
    if isLow {
      lowHighG.lowDuration = duration
      lowHighG.lowThreshold = UInt8(
        try quantity.steps("threshold_g", standard: 0.375, step: 0.00781, limits: 1...255))
      lowHighG.lowHysteresis = UInt8(
        try quantity.steps("hysteresis_g", standard: 0.125, step: 0.125, limits: 0...3))
      lowHighG.isSum = quantity.word("mode", standard: "axis") == "sum"
      noticed.insert(.lowG)
    } else {
      lowHighG.highDuration = duration
      lowHighG.highThreshold = UInt8(
        try quantity.steps(
          "threshold_g", standard: 1.5, step: (range / 256 * 1e5).rounded() / 1e5, limits: 1...255))
      lowHighG.highHysteresis = UInt8(
        try quantity.steps("hysteresis_g", standard: 0.25, step: range / 16, limits: 0...3))
      highAxes = Axes(quantity.word("axes", standard: "xyz")).bits
      noticed.insert(.highG)
    }
  }

  private mutating func takeTap(_ quantity: inout Quantity, range: Double) throws(CommandFailure) {
    var settings = BMI160Detectors.Tap()
    settings.threshold = UInt8(
      try quantity.steps("threshold_g", standard: 1, step: range / 32, limits: 0...31))
    settings.isLongShock = quantity.position("shock_ms", standard: 50, in: [50, 75]) == 1
    settings.isShortQuiet = quantity.position("quiet_ms", standard: 30, in: [30, 20]) == 1
    settings.window = quantity.position("window_ms", standard: 250, in: BMI160Detectors.Tap.windows)
    let bits =
      switch quantity.word("kinds", standard: "both") {
      case "single": BMI160Detectors.singleTapBit
      case "double": BMI160Detectors.doubleTapBit
      default: BMI160Detectors.singleTapBit | BMI160Detectors.doubleTapBit
      }
    tap = (settings, bits)
  }

  private mutating func takeOrientation(_ quantity: inout Quantity) throws(CommandFailure) {
    var settings = BMI160Detectors.Orientation()
    let mode = quantity.word("mode", standard: BMI160Detectors.Orientation.modes[0])
    settings.mode = UInt8(BMI160Detectors.Orientation.modes.firstIndex(of: mode) ?? 0)
    settings.hysteresis = UInt8(
      try quantity.steps("hysteresis_g", standard: 0.0625, step: 0.0625, limits: 0...15))
    settings.theta = UInt8(truncatingIfNeeded: quantity.whole("theta", standard: 8))
    settings.blocking = UInt8(truncatingIfNeeded: quantity.whole("blocking", standard: 2))
    settings.detectsUpsideDown = quantity.keys["upside_down"]?.bool ?? true
    orientation = settings
  }

  private mutating func takeFlat(_ quantity: inout Quantity) throws(CommandFailure) {
    var settings = BMI160Detectors.Flat()
    settings.theta = UInt8(
      try quantity.steps(
        "theta_deg", standard: 5.7, step: BMI160Detectors.Flat.thetaStep, limits: 0...63,
        rounding: .toNearestOrAwayFromZero))
    settings.hold = quantity.position("hold_ms", standard: 640, in: BMI160Detectors.Flat.holds)
    settings.hysteresis = UInt8(truncatingIfNeeded: quantity.whole("hysteresis", standard: 1))
    flat = settings
  }

  private mutating func takeSteps(_ name: String, _ quantity: inout Quantity) throws(CommandFailure) {
    let word = quantity.word("sensitivity", standard: BMI160Detectors.Sensitivity.normal.rawValue)
    let wanted = BMI160Detectors.Sensitivity(rawValue: word) ?? .normal
    try sensitivity.agree(on: wanted, for: name, sensor: "step") { "sensitivity \($0.rawValue)" }
    if name == "steps" { countsSteps = true } else { reportsSteps = true }
  }

  func runs(_ chips: ChipUse) -> [SensorRun] {
    let base = chips.motionUnit
    var runs: [SensorRun] = []
    let anyBits =
      noticed.isDisjoint(with: [.anyMotion, .significantMotion]) ? 0 : BMI160Detectors.anyMotionBits
    let noBits = noticed.isDisjoint(with: [.slowMotion, .noMotion]) ? 0 : BMI160Detectors.noMotionBits
    if anyBits | noBits != 0 {
      runs.append(
        BMI160Detectors.motion.run(
          motion.bytes, bits: anyBits | noBits, allBits: anyBits | noBits, on: base))
    }
    let lowBit = noticed.contains(.lowG) ? BMI160Detectors.lowGBit : 0
    if highAxes | lowBit != 0 {
      runs.append(
        BMI160Detectors.lowHighG.run(
          lowHighG.bytes, bits: highAxes | lowBit, allBits: BMI160Detectors.allLowHighBits, on: base))
    }
    if let tap {
      runs.append(BMI160Detectors.tap.run(tap.settings.bytes, bits: tap.bits, allBits: 3, on: base))
    }
    if let orientation {
      runs.append(BMI160Detectors.orientation.run(orientation.bytes, bits: 1, allBits: 1, on: base))
    }
    if let flat { runs.append(BMI160Detectors.flat.run(flat.bytes, bits: 1, allBits: 1, on: base)) }
    if let sensitivity = sensitivity.value {
      var run = BMI160Detectors.steps.run(
        sensitivity.bytes(counting: countsSteps), bits: 1, allBits: 1, on: base)
      if !reportsSteps {
        // The counter is switched on by its setting.
        (run.registers, run.start, run.proof) = ([], [], nil)
      }
      runs.append(run)
    }
    return runs
  }

  var leftOver: [SensorRun] {
    [
      BMI160Detectors.motion.leftOver(allBits: 0x3F),
      BMI160Detectors.lowHighG.leftOver(allBits: BMI160Detectors.allLowHighBits),
      BMI160Detectors.tap.leftOver(allBits: 3), BMI160Detectors.orientation.leftOver(allBits: 1),
      BMI160Detectors.flat.leftOver(allBits: 1), BMI160Detectors.steps.leftOver(allBits: 1),
    ]
  }

  func routes(_ chips: ChipUse) -> [PacketRoute] {
    let motions = noticed.intersection([.anyMotion, .slowMotion, .noMotion, .significantMotion])
    let falls = noticed.intersection([.lowG, .highG])
    let notices: [(DetectorRegisters, DetectorRegister?)] = [
      (BMI160Detectors.motion, motions.isEmpty ? nil : .motion160(motions)),
      (BMI160Detectors.lowHighG, falls.isEmpty ? nil : .lowHighG(falls)),
      (BMI160Detectors.tap, tap == nil ? nil : .tap),
      (BMI160Detectors.orientation, orientation == nil ? nil : .orientation),
      (BMI160Detectors.flat, flat == nil ? nil : .flat(detectsFace: detectsFace)),
      (BMI160Detectors.steps, reportsSteps ? .step160 : nil),
    ]
    return notices.map { registers, notice in
      PacketRoute(registers.data, PacketLayout(.uint8), notice: notice.map { .detectors($0) })
    }
  }

  func question(
    for stream: StreamDefinition, _ configuration: JSONObject
  ) throws(CommandFailure) -> SensorQuestion? {
    stream.name == "steps"
      ? SensorQuestion(of: BMI160Detectors.stepCount) : nil
  }
}
