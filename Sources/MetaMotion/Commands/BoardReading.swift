import BoardKit
import FleetModel

/// What can be read once beside streams, by the `what` argument of the `read` verb, and how answers are rendered
/// (MQTT contract 3.3).
enum BoardReading: String, Sendable, CaseIterable {
  case mac, device, led, stack
  case moduleInfo = "module-info"
  case logLength = "log-length"
  case logTime = "log-time"
  case resetCause = "reset-cause"
  case queueUsage = "queue-usage"
  case debugKey = "debug-key"
  case flashHealth = "flash-health"

  /// Whether the board has the module, at the revision it takes (protocol reference, section 3.4).
  func isOffered(by inventory: Inventory) -> Bool {
    switch self {
    case .device, .moduleInfo: true
    case .mac: inventory.has(.settings, from: HardwareAddress.firstRevision)
    case .logLength, .logTime: inventory.has(.logging)
    case .led: inventory.has(.led)
    case .resetCause, .debugKey, .flashHealth: inventory.has(.debug)
    case .stack, .queueUsage: inventory.has(.debug, from: Debug.firstRevisionWithStack)
    }
  }

  /// Whether silence means that the firmware is too old to tell; which revision is the first is not known.
  var isOptional: Bool { self == .resetCause || self == .led || self == .flashHealth }

  static func mac(_ reply: [UInt8]) -> JSONObject? {
    guard let hardware = HardwareAddress(reply) else { return nil }
    var data: JSONObject = ["address": .string(hardware.address.colonSeparated)]
    data["address_type"] = hardware.kind.map { .string($0.name) }
    return data
  }

  static func device(_ device: DeviceInformation) -> JSONObject {
    [
      "model_id": .string(device.modelNumber), "serial": .string(device.serialNumber),
      "hw": .string(device.hardwareRevision), "fw": .string(device.firmwareRevision),
      "manufacturer": .string(device.manufacturer),
    ]
  }

  static func module(_ info: BoardDescription.Module) -> JSONObject {
    var data: JSONObject = ["id": .integer(Int64(info.id)), "present": .bool(info.isPresent)]
    data["implementation"] = info.implementation.map { .integer(Int64($0)) }
    data["revision"] = info.revision.map { .integer(Int64($0)) }
    if info.isPresent { data["extra"] = .string(info.extra.hex) }
    return data
  }

  static func logLength(_ reply: [UInt8]) -> JSONObject? {
    LogClock.length(reply).map { ["entries": .integer(Int64($0))] }
  }

  static func logTime(_ clock: LogClock, arrival: Timestamp) -> JSONObject {
    [
      "tick": .integer(Int64(clock.tick)), "reset_uid": .integer(Int64(clock.resetID)),
      "boot_ms": .integer(clock.bootTime(arrival: arrival).milliseconds),
    ]
  }

  static func resetCause(_ reply: [UInt8]) -> JSONObject? {
    Debug.resetCause(reply).map { ["cause": .string($0.rawValue), "hex": .string(payload(reply))] }
  }

  static func stack(_ reply: [UInt8]) -> JSONObject? {
    Debug.stack(reply).map {
      ["free_bytes": .integer(Int64($0.freeBytes)), "assertion": .bool($0.isAsserted)]
    }
  }

  /// How many pages of the flash were read how well since the start (protocol reference, section 27).
  static func flashHealth(_ reply: [UInt8]) -> JSONObject? {
    guard let clean = reply.number(at: 2, as: UInt32.self) else { return nil }
    var data: JSONObject = ["pages_clean": .integer(Int64(clean))]
    for (place, key) in ["1_3", "4_6", "7_8", "lost", "unreadable"].enumerated() {
      guard let pages = reply.number(at: 6 + 2 * place, as: UInt16.self) else { return nil }
      data["pages_\(key)"] = .integer(Int64(pages))
    }
    return data
  }

  static func hex(_ reply: [UInt8]) -> JSONObject? { ["hex": .string(payload(reply))] }

  /// A channel's pulse under the keys of the `led` verb.
  static func pulse(_ pulse: LEDPulse) -> JSONObject {
    [
      "high": .integer(Int64(pulse.high)), "low": .integer(Int64(pulse.low)),
      "rise_ms": .integer(Int64(pulse.riseTime)), "high_ms": .integer(Int64(pulse.highTime)),
      "fall_ms": .integer(Int64(pulse.fallTime)), "period_ms": .integer(Int64(pulse.period)),
      "delay_ms": .integer(Int64(pulse.delay)), "repeat": .integer(Int64(pulse.repetitions)),
    ]
  }

  /// What follows the two bytes of the address.
  private static func payload(_ reply: [UInt8]) -> String { Array(reply.dropFirst(2)).hex }
}
