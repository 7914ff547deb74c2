import BoardKit
import FleetModel

/// The board as an iBeacon, while nobody is connected to it (protocol reference, section 12).
enum IBeacon {
  private static let enabling = Register(.iBeacon, 0x01)
  private static let uuid = Register(.iBeacon, 0x02)
  static let major = Register(.iBeacon, 0x03)
  static let minor = Register(.iBeacon, 0x04)
  private static let receivedPower = Register(.iBeacon, 0x05)
  private static let transmittedPower = Register(.iBeacon, 0x06)
  private static let period = Register(.iBeacon, 0x07)

  static func enable(_ isOn: Bool) -> [UInt8] { enabling.write(isOn ? 1 : 0) }
  /// Takes the sixteen bytes in the order in which they are printed.
  static func setUUID(_ printed: [UInt8]) -> [UInt8] { uuid.write(Array(printed.reversed())) }
  static func setMajor(_ number: UInt16) -> [UInt8] { major.write(number: number) }
  static func setMinor(_ number: UInt16) -> [UInt8] { minor.write(number: number) }
  /// What a receiver hears a metre away, in dBm; part of the beacon's message.
  static func setReceivedPower(_ power: Int8) -> [UInt8] { receivedPower.write(UInt8(bitPattern: power)) }
  /// In dBm.
  static func setTransmittedPower(_ power: Int8) -> [UInt8] {
    transmittedPower.write(UInt8(bitPattern: power))
  }
  static func setPeriod(milliseconds: UInt16) -> [UInt8] { period.write(number: milliseconds) }
}

extension Register {
  /// Sets a register of two bytes.
  fileprivate func write(number: UInt16) -> [UInt8] {
    write(UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8))
  }
}

extension IBeacon {
  /// What a command writes: everything that a beacon is, then that it is one.
  static func packets(_ command: BeaconCommand) -> [[UInt8]] {
    if command.isEnabled == false { return [enable(false)] }
    return [
      command.uuid.map(setUUID), command.major.map(setMajor), command.minor.map(setMinor),
      command.receivedPower.map(setReceivedPower), command.transmittedPower.map(setTransmittedPower),
      command.periodMilliseconds.map { setPeriod(milliseconds: $0) }, command.isEnabled.map(enable),
    ].compactMap(\.self)
  }
}
