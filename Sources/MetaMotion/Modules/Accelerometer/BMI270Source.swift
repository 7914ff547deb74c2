import FleetModel

/// What the BMI270 notices by itself and the steps it counts, as streams (protocol reference, section 9; MQTT contract
/// 2.4). It goes by how the accelerometer runs.
struct BMI270Source: StreamSource {
  private typealias Feature = BMI270Features.Feature

  /// The features that are wanted, each with the settings to write first.
  private var wanted: [Feature: [[UInt8]]] = [:]
  private var steps = StreamOutputs()

  init?(on board: Inventory) {
    guard board.accelerometer?.chip == .bmi270 else { return nil }
  }

  private static let features: [String: Feature] = [
    "any-motion": .anyMotion, "no-motion": .noMotion, "significant-motion": .significantMotion,
    "step": .stepDetector, "steps": .stepCounter, "activity": .activity, "wrist-gesture": .wristGesture,
    "wrist-wakeup": .wristWakeup,
  ]
  private static let foreignKeys: [String: [String]] = [
    "any-motion": ["count"], "significant-motion": ["threshold_g", "skip_ms", "proof_ms"],
    "step": ["sensitivity"], "steps": ["sensitivity"],
  ]

  func offers(for stream: StreamDefinition) -> JSONObject? {
    guard Self.features[stream.name] != nil else { return nil }
    var offers = stream.listedOffers
    for key in Self.foreignKeys[stream.name] ?? [] { offers[key] = nil }
    if offers["watermark_steps"] != nil {
      offers["watermark_steps"] = ["min": 20, "max": 20_460, "step": 20]
    }
    return offers
  }

  mutating func take(_ order: StreamOrder, _ chips: inout ChipUse) throws(CommandFailure) -> StreamTaken {
    guard let feature = Self.features[order.name] else { throw .invalid("no feature makes \(order.name)") }
    var quantity = Quantity(order)
    try quantity.refuse(Self.foreignKeys[order.name] ?? [], of: .bmi270)
    let settings = try settings(of: feature, &quantity)
    guard wanted[feature].map({ $0 == settings }) ?? true else {
      throw .invalid("\(order.title) must be configured like the other \(order.name) streams of this board")
    }
    wanted[feature] = settings
    chips.needsAccelerometer = true
    let unit = SensorRun.Unit.detector(register: BMI270Features.enable.number, bits: feature.rawValue)
    if feature == .stepCounter {
      if let polled = order.polled {
        return StreamTaken(quantity.keys, period: polled.period, isPolled: true, unit: unit)
      }
      steps.add(order.key, component: order.component)
    }
    return StreamTaken(quantity.keys, unit: unit)
  }

  private func settings(
    of feature: Feature, _ quantity: inout Quantity
  ) throws(CommandFailure) -> [[UInt8]] {
    switch feature {
    case .anyMotion: return [BMI270Features.anyMotion(try motion(&quantity, threshold: 0.083))]
    case .noMotion: return [BMI270Features.noMotion(try motion(&quantity, threshold: 0.07))]
    case .significantMotion:
      let size = try quantity.steps("block_ms", standard: 5000, step: 20, limits: 1...65_535)
      return [BMI270Features.significantMotion(size: UInt16(size))]
    case .stepCounter:
      let level = try quantity.steps("watermark_steps", standard: 20, step: 20, limits: 1...1023)
      return [BMI270Features.watermark(UInt16(level))]
    case .wristGesture:
      return [
        BMI270Features.wristGesture(
          isRight: quantity.word("arm", standard: "left") == "right",
          peak: UInt16(truncatingIfNeeded: quantity.whole("peak", standard: 1774)),
          samples: UInt16(truncatingIfNeeded: quantity.whole("samples", standard: 4)),
          longest: UInt16(truncatingIfNeeded: quantity.whole("max_samples", standard: 200)))
      ]
    case .wristWakeup:
      let angles = (quantity.keys["angles"]?.array ?? []).compactMap {
        $0.integer.flatMap { UInt16(exactly: $0) }
      }
      return [BMI270Features.wristWakeup(angles.count == 6 ? angles : BMI270Features.wakeupAngles)]
    case .activity, .stepDetector: return []
    }
  }

  private func motion(
    _ quantity: inout Quantity, threshold: Double
  ) throws(CommandFailure) -> BMI270Features.Motion {
    // The chip's range ends at 1 g whatever the full scale is.
    let threshold = try quantity.steps(
      "threshold_g", standard: threshold, step: 1.0 / 2048, limits: 0...2047,
      rounding: .toNearestOrAwayFromZero)
    let duration = try quantity.steps("duration_ms", standard: 100, step: 20, limits: 1...8191)
    let axes = Axes(quantity.word("axes", standard: "xyz"))
    return BMI270Features.Motion(
      duration: UInt16(duration), threshold: UInt16(threshold), axes: axes.bits)
  }

  func runs(_ chips: ChipUse) -> [SensorRun] {
    let runs = wanted.map { feature, settings in
      SensorRun(
        unit: .detector(register: BMI270Features.enable.number, bits: feature.rawValue),
        configure: settings.map { .write($0) }, start: BMI270Features.on(feature.rawValue),
        stop: BMI270Features.off(feature.rawValue),
        proof: .init(register: BMI270Features.enable, bits: feature.rawValue), base: chips.motionUnit)
    }
    // Several features tell in one register: it is subscribed once for all of them.
    let registers = Set(wanted.keys.filter { $0 != .stepCounter || !steps.isEmpty }.map(\.data))
    return runs + registers.map(Self.subscription)
  }

  private static func subscription(_ register: Register) -> SensorRun {
    SensorRun(
      unit: .state(module: register.module.rawValue, register: register.number), registers: [register])
  }

  var leftOver: [SensorRun] {
    let registers = [
      BMI270Features.motion, BMI270Features.wrist, BMI270Features.steps, BMI270Features.activity,
    ]
    return [
      SensorRun(
        unit: .detector(register: BMI270Features.enable.number, bits: 0xFF), stop: BMI270Features.off(0xFF))
    ] + registers.map(Self.subscription)
  }

  func routes(_ chips: ChipUse) -> [PacketRoute] {
    func wants(_ features: [(Feature, Detectors)]) -> Detectors {
      features.reduce(into: []) { if wanted[$1.0] != nil { $0.formUnion($1.1) } }
    }
    let motions = wants([
      (.anyMotion, .anyMotion), (.noMotion, .noMotion), (.significantMotion, .significantMotion),
    ])
    let wrists = wants([(.wristGesture, .wristGesture), (.wristWakeup, .wristWakeup)])
    let byte = PacketLayout(.uint8)
    return [
      PacketRoute(
        BMI270Features.motion, byte, notice: motions.isEmpty ? nil : .detectors(.motion270(motions))),
      PacketRoute(BMI270Features.wrist, byte, notice: wrists.isEmpty ? nil : .detectors(.wrist(wrists))),
      PacketRoute(
        BMI270Features.steps, BMI270Features.stepCount.packets(isOptional: true), outputs: steps,
        notice: wanted[.stepDetector] == nil ? nil : .detectors(.step270)),
      PacketRoute(
        BMI270Features.activity, byte, notice: wanted[.activity] == nil ? nil : .detectors(.activity)),
    ]
  }

  func question(
    for stream: StreamDefinition, _ configuration: JSONObject
  ) throws(CommandFailure) -> SensorQuestion? {
    stream.name == "steps" ? SensorQuestion(of: BMI270Features.stepCount) : nil
  }
}
