import BoardKit
import FleetModel

@testable import MetaMotion

/// What the BMI160 notices by itself, and the steps it counts.
struct BMI160Phrases: VectorArea {
  private let board: Inventory
  private var range = 2.0
  private var tap = BMI160Detectors.Tap()
  private var sensitivity = BMI160Detectors.Sensitivity.normal
  private var isCounting = false

  init(on board: Inventory) { self.board = board }

  private static let switches: [String: [UInt8]] = [
    "enable any-motion detection": on(BMI160Detectors.motion, 0x07),
    "disable any-motion detection": off(BMI160Detectors.motion, 0x07),
    "enable flat detection": on(BMI160Detectors.flat, 1),
    "stop low/high detection": off(BMI160Detectors.lowHighG, BMI160Detectors.allLowHighBits),
    "enable tap detection (single=1, double=0)": on(BMI160Detectors.tap, BMI160Detectors.singleTapBit),
    "disable tap detection": off(BMI160Detectors.tap, 3),
    "enable orientation detection": on(BMI160Detectors.orientation, 1),
  ]

  private static func on(_ registers: DetectorRegisters, _ bits: UInt8) -> [UInt8] {
    registers.run([], bits: bits, allBits: 0, on: .accelerometer).start[0]
  }

  private static func off(_ registers: DetectorRegisters, _ bits: UInt8) -> [UInt8] {
    registers.leftOver(allBits: bits).stop[0]
  }

  private static let notifications: Set = [
    "any-motion notification", "flat notification, accelerometer revision below 2",
    "flat notification, accelerometer revision 2", "low/high notification",
    "significant motion notification",
  ]

  mutating func perform(_ phrase: String, on stage: inout VectorStage) throws -> Bool {
    guard board.accelerometer?.chip == .bmi160 else { return false }
    if let command = Self.switches[phrase] { return stage.write(command) }
    if let match = phrase.wholeMatch(of: #/(?:request accel range nearest|accel range) ([\d.]+) g/#) {
      range = try NotUnderstood.unless(Double(match.1))
      return phrase.hasPrefix("accel range")
    }
    if let match = phrase.wholeMatch(of: #/(?:configure step detector|set step) mode (\w+)(.*)/#) {
      sensitivity = try NotUnderstood.unless(.init(rawValue: String(match.1)))
      guard phrase.hasPrefix("configure") else { return true }
      return stage.write(BMI160Detectors.steps.settings.write(sensitivity.bytes(counting: false)))
    }
    if let subscription = SubscriptionPhrase(phrase) { return subscribe(subscription, &stage) }
    switch phrase {
    case "include step counter in the step config":
      isCounting = true
      return true
    case "write step config":
      return stage.write(BMI160Detectors.steps.settings.write(sensitivity.bytes(counting: isCounting)))
    case "read step counter (BMI160)": return stage.write(BMI160Detectors.stepCount.register.read())
    case "set tap threshold 2.0 g":
      tap.threshold = UInt8(2 / (range / 32))
      return true
    case "set tap shock time 50 ms":
      tap.isLongShock = false
      return true
    case "write tap config": return stage.write(BMI160Detectors.tap.settings.write(tap.bytes))
    default: return try configure(phrase, &stage) || Self.notifications.contains(phrase)
    }
  }

  private mutating func subscribe(_ phrase: SubscriptionPhrase, _ stage: inout VectorStage) -> Bool {
    switch phrase.signal {
    case "tap": return stage.write(phrase.command(BMI160Detectors.tap.data))
    case "orientation": return stage.write(phrase.command(BMI160Detectors.orientation.data))
    case "step detector (BMI160)": return stage.write(phrase.command(BMI160Detectors.steps.data))
    case "step counter (BMI160)": return true
    default: return false
    }
  }

  /// What the product writes for a detector configured so.
  private func configure(_ phrase: String, _ stage: inout VectorStage) throws -> Bool {
    switch phrase {
    case "high-g on z, threshold 2 g, duration 15 ms":
      let keys: JSONObject = [
        "threshold_g": 2, "duration_ms": 15, "hysteresis_g": .number(range / 8), "axes": "z",
      ]
      return stage.write(try settings("high-g", keys, BMI160Detectors.lowHighG))
    case "accel range at default (2 g)": return true
    case "configure no-motion duration 10000 ms threshold 0.5 g":
      let keys: JSONObject = ["threshold_g": 0.5, "duration_ms": 10_000]
      return stage.write(try settings("no-motion", keys, BMI160Detectors.motion))
    case "configure significant motion proof time 1 s, skip time 1.5 s":
      // The threshold that the chip starts with, which nobody set.
      let keys: JSONObject = ["threshold_g": 0.0783, "proof_ms": 1000, "skip_ms": 1500]
      return stage.write(try settings("significant-motion", keys, BMI160Detectors.motion))
    default: return false
    }
  }

  private func settings(
    _ stream: String, _ keys: JSONObject, _ registers: DetectorRegisters
  ) throws -> [UInt8] {
    let acceleration = StreamRequest(
      name: "acceleration", configuration: ["range_g": .number(range), "rate_hz": 100])
    let detector = StreamRequest(name: stream, configuration: keys)
    let selection = StreamSelection(
      [StreamKey(0): acceleration, StreamKey(1): detector], button: false, on: board)
    if let refusal = selection.refused.values.first { throw NotUnderstood(description: refusal.message) }
    for case .write(let packet) in selection.setup.ordered.flatMap(\.configure)
    where packet[1] == registers.settings.number { return packet }
    throw NotUnderstood(description: "\(stream) writes no settings")
  }

  func hear(_ packet: [UInt8]) throws -> [Heard]? {
    guard packet.count > 2, board.accelerometer?.chip == .bmi160, packet[0] == 0x03 else { return nil }
    switch packet[1] {
    case 0x0B where packet[2] & 1 == 1:
      return try board.notice(packet, streaming: "significant-motion").map { _ in .number(1) }
    case 0x0B:
      return try board.notice(packet, streaming: "any-motion").map { .value(Self.axes($0.fields, "xyz")) }
    case 0x08: return try lowHigh(packet)
    case 0x0E:
      return try board.notice(packet, streaming: "tap").map { type, fields in
        // The C++ structure: 1 double, 2 single; the sign is the raw bit.
        .value(["type": type == "double" ? 1 : 2, "sign": fields["sign"] == -1 ? 1 : 0])
      }
    case 0x11:
      return try board.notice(packet, streaming: "orientation").compactMap {
        $0.fields["index"].map { .value($0) }
      }
    case 0x14:
      return try board.notice(packet, streaming: "flat").map { .value(.bool($0.type == "flat")) }
    case 0x19: return try board.notice(packet, streaming: "step").map { _ in .number(1) }
    case 0x9A:
      return try [.number(NotUnderstood.unless(BMI160Detectors.stepCount.values(in: packet)?.first))]
    default: return nil
    }
  }

  private static func axes(_ fields: JSONObject, _ names: String) -> JSONValue {
    var value: JSONObject = ["sign": fields["sign"] == -1 ? "negative" : "positive"]
    for name in names { value[String(name)] = .bool(fields["axis"]?.string == String(name)) }
    return .object(value)
  }

  private func lowHigh(_ packet: [UInt8]) throws -> [Heard] {
    let high = try board.notice(packet, streaming: "high-g")
    let low = try board.notice(packet, streaming: "low-g")
    var value: JSONObject = ["is_high": .bool(!high.isEmpty), "is_low": .bool(!low.isEmpty)]
    let axis = high.first?.fields["axis"]?.string
    for (bit, name) in zip(["bit2", "bit3", "bit4"], ["x", "y", "z"]) {
      value[bit] = .bool(axis == name)
      value[name] = .bool(axis == name)
    }
    value["sign"] = high.first?.fields["sign"] == -1 ? "negative" : "positive"
    return [.value(.object(value))]
  }
}
