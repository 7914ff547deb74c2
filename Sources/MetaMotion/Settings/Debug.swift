import BoardKit

/// Resetting, leaving and looking inside (protocol reference, section 27).
///
/// Register 08 is missing on purpose: it makes the board wait in its bootloader for good, without an application.
enum Debug {
  static let stack = Register(.debug, 0x09)
  static let queueUsage = Register(.debug, 0x0A)
  static let key = Register(.debug, 0x04)
  static let resetCause = Register(.debug, 0x0B)
  /// Revision of the debug module from which it tells about stack and queues.
  static let firstRevisionWithStack: UInt8 = 2
  static let firstRevisionWithPowerSave: UInt8 = 1
  static let flashHealth = Register(.debug, 0x13)

  /// Restarts the board now; the link drops and nothing is answered.
  static let reset = Register(.debug, 0x01).write()
  /// Restarts the board in its bootloader, with its application whole; the link drops and nothing is answered.
  static let enterBootloader = Register(.debug, 0x02).write()
  /// Restarts the board once the link is gone and its flash is tidied up.
  static let resetWhenDisconnected = Register(.debug, 0x05).write()
  /// Makes the board drop the link.
  static let disconnect = Register(.debug, 0x06).write()
  /// Makes the next reset end powered down.
  static let powerSave = Register(.debug, 0x07).write()

  /// Whether a stack overflow restarts the board.
  static func assertStackOverflow(_ isOn: Bool) -> [UInt8] { stack.write(isOn ? 1 : 0) }

  /// What an answer to a read of `stack` says; nil when it is none.
  static func stack(_ reply: [UInt8]) -> (isAsserted: Bool, freeBytes: UInt16)? {
    guard let flag = reply.number(at: 2, as: UInt8.self), let free = reply.number(at: 3, as: UInt16.self)
    else {
      return nil
    }
    return (flag != 0, free)
  }

  /// Why the board restarted last, by the contract's words.
  enum ResetCause: String, Sendable, CaseIterable {
    case powerOn = "power-on"
    case pin, watchdog, software
    case lockUp = "lock-up"
    case wake
  }

  /// What an answer to a read of `resetCause` says; nil when it is none.
  static func resetCause(_ reply: [UInt8]) -> ResetCause? {
    guard reply.count >= 6 else { return nil }
    let cause = reply[2]
    // A reset asked for may leave older bits beside its own; the graver cause is named.
    if cause & 0b1000 != 0 { return .lockUp }
    if cause & 0b0010 != 0 { return .watchdog }
    if cause & 0b0001 != 0 { return .pin }
    if cause & 0b0100 != 0 { return .software }
    return reply[4] & 0b1111 != 0 ? .wake : .powerOn
  }
}
