import BoardKit
import FleetModel

/// The vibration motor or the buzzer on a board's pads (protocol reference, section 13).
enum Haptic {
  private static let pulse = Register(.haptic, 0x01)

  /// Runs the motor; `percent` is held between 0 and 100.
  static func motor(percent: Double, milliseconds: UInt16) -> [UInt8] {
    // 248 is the firmware's full duty. NaN compares false and ends at 0.
    let duty = percent > 0 ? UInt8(min(percent, 100) / 100 * 248) : 0
    return run(duty: duty, milliseconds: milliseconds, frequency: 0)
  }

  /// Runs the buzzer, whose duty is fixed.
  static func buzzer(milliseconds: UInt16) -> [UInt8] {
    run(duty: 0x7F, milliseconds: milliseconds, frequency: 1)
  }

  private static func run(duty: UInt8, milliseconds: UInt16, frequency: UInt8) -> [UInt8] {
    var payload = [duty]
    payload.append(number: milliseconds)
    payload.append(frequency)
    return pulse.write(payload)
  }
}

extension Haptic {
  /// What a command writes.
  static func packet(_ command: HapticCommand) -> [UInt8] {
    switch command.drive {
    case .motor(let percent): motor(percent: percent, milliseconds: command.milliseconds)
    case .buzzer: buzzer(milliseconds: command.milliseconds)
    }
  }
}
