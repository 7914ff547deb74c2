import BoardKit
import FleetModel

/// One of the board's pins (protocol reference, section 11).
struct Pin: Hashable, Sendable {
  /// Resistors, by the contract's words; the raw value is the register that sets them.
  enum Pull: UInt8, Sendable { case up = 0x03, down = 0x04, none = 0x05 }

  /// Which changes count; the raw value is the code.
  enum Edge: UInt8, Sendable { case off = 0, rising = 1, falling = 2, any = 3 }

  /// How an analog reading is prepared, where the firmware can.
  struct Preparation: Hashable, Sendable {
    var pullUp, pullDown, virtual: UInt8?
    /// Steps of 4 µs.
    var delay: UInt8 = 0

    /// Takes the keys of the catalogue.
    init(_ keys: JSONObject) {
      func pin(_ key: String) -> UInt8? { keys[key]?.integer.flatMap { UInt8(exactly: $0) } }
      pullUp = pin("pull_up_pin")
      pullDown = pin("pull_down_pin")
      virtual = pin("virtual_pin")
      delay = UInt8(clamping: (keys["delay_us"]?.integer ?? 0) >> 2)
    }

    /// Unused pins are FF.
    var bytes: [UInt8] { [pullUp ?? 0xFF, pullDown ?? 0xFF, delay, virtual ?? 0xFF] }

    /// Whether it says anything.
    var isDefault: Bool { bytes == [0xFF, 0xFF, 0, 0xFF] }
  }

  let number: UInt8

  static let changeType = Register(.gpio, 0x09)
  static let monitor = Register(.gpio, 0x0B)
  /// Revision of the module from which analog readings can be prepared.
  static let firstRevisionWithPreparation: UInt8 = 2

  /// Sets its level.
  func drive(high isHigh: Bool) -> [UInt8] { Register(.gpio, isHigh ? 0x01 : 0x02).write(number) }
  func pull(_ pull: Pull) -> [UInt8] { Register(.gpio, pull.rawValue).write(number) }
  func count(_ edge: Edge) -> [UInt8] { Self.changeType.write(number, edge.rawValue) }
  func watch(_ isOn: Bool) -> [UInt8] { Self.monitor.write(number, isOn ? 1 : 0) }

  /// Which of its edges count, from an answer to a read of `changeType`; whether that repeats the pin is not known. Nil
  /// when it is none, or another pin's.
  func counted(_ reply: [UInt8]) -> Edge? {
    if reply.count >= 4 { return reply[2] == number ? Edge(rawValue: reply[3]) : nil }
    return reply.number(at: 2, as: UInt8.self).flatMap(Edge.init)
  }

  /// What follows the header in the question for an analog value.
  func analogArguments(_ preparation: Preparation, revision: UInt8) -> [UInt8] {
    [number] + (revision >= Self.firstRevisionWithPreparation ? preparation.bytes : [])
  }
}

extension Pin.Pull {
  /// The resistor of the contract's word; nil when there is none.
  init?(named word: String) {
    switch word {
    case "up": self = .up
    case "down": self = .down
    case "none": self = .none
    default: return nil
    }
  }
}

extension Pin.Edge {
  /// The edge of the contract's word; nil when there is none.
  init?(named word: String) {
    switch word {
    case "off": self = .off
    case "rising": self = .rising
    case "falling": self = .falling
    case "any": self = .any
    default: return nil
    }
  }
}
