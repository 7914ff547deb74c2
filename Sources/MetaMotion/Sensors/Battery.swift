import BoardKit

/// Charge and voltage of the battery (protocol reference, section 20).
struct Battery: Hashable, Sendable {
  var percent: UInt8
  var millivolts: UInt16

  static let state = Register(.settings, 0x0C)
  /// Revision of the settings module from which the board tells.
  static let firstRevision: UInt8 = 3

  init(percent: UInt8, millivolts: UInt16) {
    self.percent = percent
    self.millivolts = millivolts
  }

  /// Reads the answer to a read; nil when it is none.
  init?(_ reply: [UInt8]) {
    guard let percent = reply.number(at: 2, as: UInt8.self),
      let millivolts = reply.number(at: 3, as: UInt16.self)
    else { return nil }
    self.init(percent: percent, millivolts: millivolts)
  }
}
