import BoardKit

/// How loud the radio is (protocol reference, section 20).
enum TransmissionPower {
  static let register = Register(.settings, 0x03)
  /// In dBm; what the firmware does with others is not known (trap T29).
  static let offers: [Int8] = [4, 0, -4, -8, -12, -16, -20, -30]

  static func set(_ power: Int8) -> [UInt8] { register.write(UInt8(bitPattern: power)) }
  /// In dBm, from the answer to a read; nil when it is none.
  static func power(_ reply: [UInt8]) -> Int8? { reply.number(at: 2, as: Int8.self) }
}
