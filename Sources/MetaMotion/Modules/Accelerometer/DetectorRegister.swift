import BoardKit
import FleetModel

/// What chips notice by themselves, by the catalogue's names.
struct Detectors: OptionSet, Hashable, Sendable {
  let rawValue: UInt16

  static let anyMotion = Detectors(rawValue: 1 << 0)
  static let slowMotion = Detectors(rawValue: 1 << 1)
  static let noMotion = Detectors(rawValue: 1 << 2)
  static let significantMotion = Detectors(rawValue: 1 << 3)
  static let lowG = Detectors(rawValue: 1 << 4)
  static let highG = Detectors(rawValue: 1 << 5)
  static let wristGesture = Detectors(rawValue: 1 << 6)
  static let wristWakeup = Detectors(rawValue: 1 << 7)
}

/// A register in which a chip tells what it noticed, and how its byte of flags is read (protocol reference, sections 8,
/// 9.5 and 24). Several detectors may share one; what is not wanted is not told.
enum DetectorRegister: Hashable, Sendable {
  // Of the BMI160.
  case motion160(Detectors)
  case lowHighG(Detectors)
  case tap
  case orientation
  /// Firmware from revision 2 of the module on tells flatness by another bit, and which face is up.
  case flat(detectsFace: Bool)
  case step160
  // Of the BMI270.
  case motion270(Detectors)
  case wrist(Detectors)
  /// Shared with the count of steps, which is a byte longer.
  case step270
  case activity
  // Of the magnetometer.
  case magneticAlarm

  /// The events that flags stand for, in a packet of `length` bytes.
  func events(_ flags: UInt8, length: Int) -> [BoardEvent] {
    switch self {
    case .motion160(let wanted): Self.motion160(flags, wanted)
    case .lowHighG(let wanted): Self.lowHighG(flags, wanted)
    case .tap: Self.tap(flags)
    case .orientation: [Self.orientation(flags)]
    case .flat(let detectsFace): [Self.flat(flags, detectsFace: detectsFace)]
    case .step160: [Self.event(.step, "step", of: "step")]
    case .motion270(let wanted): Self.motion270(flags, wanted)
    case .wrist(let wanted): Self.wrist(flags, wanted)
    case .step270: length == 3 ? [Self.event(.step, "step", of: "step")] : []
    case .activity: [Self.event(.activity, Self.activities[Int(flags >> 1 & 3)], of: "activity")]
    case .magneticAlarm: Self.magneticAlarm(flags)
    }
  }

  private static func event(
    _ kind: EventKind, _ type: String, of detector: String, _ fields: JSONObject = [:]
  ) -> BoardEvent {
    var all: JSONObject = ["detector": .string(detector)]
    for (key, value) in fields.members { all[key] = value }
    return .happened(kind, type, all)
  }

  /// The axis whose bit is set first, from `lowest` on, and the sign; nil where no axis is told.
  private static func axis(_ flags: UInt8, from lowest: UInt8, sign: UInt8) -> JSONObject {
    var fields = JSONObject()
    if let axis = (0..<3).first(where: { flags >> (lowest + UInt8($0)) & 1 == 1 }) {
      fields["axis"] = .string(Axes.name(axis))
      fields["sign"] = flags >> sign & 1 == 1 ? -1 : 1
    }
    return fields
  }

  private static func motion160(_ flags: UInt8, _ wanted: Detectors) -> [BoardEvent] {
    var events: [BoardEvent] = []
    if flags & 0b001 != 0, wanted.contains(.significantMotion) {
      events.append(event(.motion, "significant", of: "significant-motion"))
    }
    if flags & 0b010 != 0, wanted.contains(.anyMotion) {
      events.append(event(.motion, "any", of: "any-motion", axis(flags, from: 3, sign: 6)))
    }
    if flags & 0b100 != 0 {
      // One bit for both; they exclude each other.
      if wanted.contains(.noMotion) { events.append(event(.motion, "none", of: "no-motion")) }
      if wanted.contains(.slowMotion) { events.append(event(.motion, "slow", of: "slow-motion")) }
    }
    return events
  }

  private static func lowHighG(_ flags: UInt8, _ wanted: Detectors) -> [BoardEvent] {
    var events: [BoardEvent] = []
    if flags & 0b01 != 0, wanted.contains(.highG) {
      events.append(event(.motion, "high-g", of: "high-g", axis(flags, from: 2, sign: 5)))
    }
    if flags & 0b10 != 0, wanted.contains(.lowG) { events.append(event(.motion, "low-g", of: "low-g")) }
    return events
  }

  /// Trap T54: bit 0 is a double tap, bit 1 a single one.
  private static func tap(_ flags: UInt8) -> [BoardEvent] {
    [(UInt8(0b10), "single"), (0b01, "double")].filter { flags & $0.0 != 0 }.map {
      event(.tap, $0.1, of: "tap", axis(flags, from: 2, sign: 5))
    }
  }

  private static func orientation(_ flags: UInt8) -> BoardEvent {
    let index = Int(flags >> 1 & 3) + (flags & 0b1000 != 0 ? 4 : 0)
    return event(
      .orientation, EventKind.orientation.types[index], of: "orientation", ["index": .integer(Int64(index))])
  }

  private static func flat(_ flags: UInt8, detectsFace: Bool) -> BoardEvent {
    guard detectsFace else { return event(.flat, flags & 0b010 != 0 ? "flat" : "tilted", of: "flat") }
    return event(
      .flat, flags & 0b100 != 0 ? "flat" : "tilted", of: "flat",
      ["face": flags & 0b010 != 0 ? "down" : "up"])
  }

  private static func motion270(_ flags: UInt8, _ wanted: Detectors) -> [BoardEvent] {
    let bits: [(UInt8, Detectors, String, String)] = [
      (0b001, .significantMotion, "significant", "significant-motion"),
      (0b010, .noMotion, "none", "no-motion"), (0b100, .anyMotion, "any", "any-motion"),
    ]
    return bits.filter { flags & $0.0 != 0 && wanted.contains($0.1) }.map { event(.motion, $0.2, of: $0.3) }
  }

  private static let activities = ["still", "walking", "running", "unknown"]
  private static let gestures = ["unknown", "push-down", "pivot-up", "shake", "flick-in", "flick-out"]

  /// Trap T20: a gesture is told by its bit or by a code that is none, whichever the firmware sets.
  private static func wrist(_ flags: UInt8, _ wanted: Detectors) -> [BoardEvent] {
    let code = Int(flags >> 2 & 7)
    let isGesture = flags & 0b10 != 0 || code != 0
    var events: [BoardEvent] = []
    if isGesture, wanted.contains(.wristGesture) {
      let name = gestures.indices.contains(code) ? gestures[code] : gestures[0]
      events.append(event(.wrist, name, of: "wrist-gesture", ["code": .integer(Int64(code))]))
    }
    if flags & 0b01 != 0, !isGesture || flags & 0b10 != 0, wanted.contains(.wristWakeup) {
      events.append(event(.wrist, "wake-up", of: "wrist-wakeup"))
    }
    return events
  }

  private static func magneticAlarm(_ flags: UInt8) -> [BoardEvent] {
    (0..<6).filter { flags >> $0 & 1 == 1 }.map { bit in
      event(
        .magnetic, bit < 3 ? "low" : "high", of: "magnetic-alarm", ["axis": .string(Axes.name(bit % 3))])
    }
  }
}
