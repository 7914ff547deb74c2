import BoardKit

/// Charge and voltage of the battery (protocol reference, section 20).
struct Battery: Hashable, Sendable {
  var percent: UInt8
  var millivolts: UInt16

  static let state = SensorSignal(
    name: "battery", stream: "battery", title: "battery", register: Register(.settings, 0x0C), access: .read,
    values: .init(number: .uint8, labels: ["charge"], unit: .pct),
    further: .init(number: .uint16, labels: ["voltage"], unit: .mv))
  /// Revision of the settings module from which the board tells.
  static let firstRevision: UInt8 = 3

  init(percent: UInt8, millivolts: UInt16) {
    self.percent = percent
    self.millivolts = millivolts
  }

  /// Reads the answer to a read; nil when it is none.
  init?(_ reply: [UInt8]) {
    guard let values = Self.state.values(in: reply), values.count == 2,
      let percent = UInt8(exactly: values[0]), let millivolts = UInt16(exactly: values[1])
    else { return nil }
    self.init(percent: percent, millivolts: millivolts)
  }
}
