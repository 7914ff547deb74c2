import FleetModel

/// Motor or buzzer (protocol reference 13). Every board takes the command; whether something moves is another
/// question.
package struct HapticModule: FirmwareModule {
  static let id: UInt8 = 0x08
  static let name = "haptic"

  private enum Register {
    static let pulse: UInt8 = 0x01
  }

  private static let fullDuty: UInt8 = 248

  /// What drives the actuator, and for how long.
  package struct Pulse: Sendable, Equatable {
    /// Of 248.
    package let duty: UInt8
    /// 4 kHz, for a buzzer; else 2 kHz, for a motor.
    package let isBuzzer: Bool
    package let end: Duration
  }

  /// The last pulse, over or not.
  package private(set) var lastPulse: Pulse?

  init(_ board: Mainboard) {}

  mutating func write(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) {
    guard register == Register.pulse, payload.count == 4, payload[0] <= Self.fullDuty, payload[3] <= 1,
      let width = UInt16(littleEndian: payload, at: 1)
    else { return }
    lastPulse = Pulse(
      duty: payload[0], isBuzzer: payload[3] == 1, end: board.now + .milliseconds(Int64(width)))
    board.note(
      action: .driven(
        percent: Int(payload[0]) * 100 / Int(Self.fullDuty), isBuzzer: payload[3] == 1,
        for: .milliseconds(Int64(width))))
  }

  mutating func read(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) -> [UInt8]? { nil }
}
