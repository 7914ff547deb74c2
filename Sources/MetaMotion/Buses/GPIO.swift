import BoardKit

/// The board's pins (protocol reference, section 11).
enum GPIO {
  enum Pull: UInt8, Sendable, CaseIterable { case up = 0x03, down = 0x04, none = 0x05 }
  enum Change: UInt8, Sendable, CaseIterable { case off = 0, rising, falling, any }
  /// Ways to measure a voltage.
  enum Analog: UInt8, Sendable, CaseIterable {
    /// In millivolts.
    case absolute = 0x06
    /// As a share of the supply, 0–1023.
    case ratio = 0x07
  }

  /// Pins to be pulled while a voltage is measured, and under which number the result comes back.
  struct Measurement: Hashable, Sendable {
    var pullUpPin, pullDownPin, virtualPin: UInt8?
    /// Between pulling and measuring, 0–1020 µs.
    var delayMicroseconds: UInt16 = 0
  }

  static let digital = Register(.gpio, 0x08)
  static let changeType = Register(.gpio, 0x09)
  static let change = Register(.gpio, 0x0A)
  private static let monitor = Register(.gpio, 0x0B)
  private static let noPin: UInt8 = 0xFF
  /// Revision from which analog reads say how to measure.
  static let firstRevisionWithMeasurement: UInt8 = 2

  static func register(of analog: Analog) -> Register { Register(.gpio, analog.rawValue) }

  /// Drives a pin.
  static func set(_ pin: UInt8, high: Bool) -> [UInt8] { Register(.gpio, high ? 0x01 : 0x02).write(pin) }
  static func pull(_ pin: UInt8, _ pull: Pull) -> [UInt8] { Register(.gpio, pull.rawValue).write(pin) }
  /// Which edges count as changes.
  static func setChange(_ pin: UInt8, _ change: Change) -> [UInt8] { changeType.write(pin, change.rawValue) }
  /// Whether changes are noticed; that they are told as well takes a subscription of `change`.
  static func monitor(_ pin: UInt8, _ isOn: Bool) -> [UInt8] { monitor.write(pin, isOn ? 1 : 0) }

  /// What a read of a voltage says behind the register: the pin, and from revision 2 on how to measure.
  static func selector(_ pin: UInt8, _ measurement: Measurement = Measurement(), revision: UInt8) -> [UInt8] {
    guard revision >= firstRevisionWithMeasurement else { return [pin] }
    return [
      pin, measurement.pullUpPin ?? noPin, measurement.pullDownPin ?? noPin,
      // In steps of four microseconds.
      UInt8(clamping: measurement.delayMicroseconds >> 2), measurement.virtualPin ?? noPin,
    ]
  }

  /// The pin and its voltage or ratio, from an answer; nil when it is none.
  static func analog(_ reply: [UInt8]) -> (pin: UInt8, value: UInt16)? {
    guard reply.count >= 5, let value = reply.number(at: 3, as: UInt16.self) else { return nil }
    return (reply[2], value)
  }

  /// The pin and its level, from an answer or a notification of a change; nil when it is none.
  static func level(_ reply: [UInt8]) -> (pin: UInt8, isHigh: Bool)? {
    reply.count >= 4 ? (reply[2], reply[3] != 0) : nil
  }

  /// Which edges count, from an answer to a read of `changeType`, with or without the pin; nil when it is none.
  static func change(_ reply: [UInt8], of pin: UInt8) -> Change? {
    if reply.count >= 4 { return reply[2] == pin ? Change(rawValue: reply[3]) : nil }
    return reply.number(at: 2, as: UInt8.self).flatMap(Change.init)
  }
}
