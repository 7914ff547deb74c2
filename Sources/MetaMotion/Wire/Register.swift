import BoardKit

/// One register of one module: the address every packet begins with (protocol reference, section 2).
struct Register: Hashable, Sendable {
  let module: Module
  /// 0–63; the two bits above say how it is accessed.
  let number: UInt8

  init(_ module: Module, _ number: UInt8) {
    self.module = module
    self.number = number & 0x3F
  }

  private static let readFlag: UInt8 = 0x80
  private static let silentFlag: UInt8 = 0x40

  /// Sets the register, triggers its action or adds an entry.
  func write(_ payload: UInt8...) -> [UInt8] { write(payload) }

  /// Sets the register, triggers its action or adds an entry.
  func write(_ payload: [UInt8]) -> [UInt8] { [module.rawValue, number] + payload }

  /// Switches bits of a mask on and off; several registers take both at once.
  func write(set: UInt8, clear: UInt8) -> [UInt8] { write(set, clear) }

  /// Asks for the value; `selector` is the channel, pin or slot where there are several.
  func read(_ selector: UInt8...) -> [UInt8] { read(selector) }

  /// Asks for the value; `selector` is the channel, pin or slot where there are several.
  func read(_ selector: [UInt8]) -> [UInt8] {
    [module.rawValue, number | Self.readFlag] + selector
  }

  /// Has the board read the value for its loggers; nothing is answered (section 2.2).
  func silentRead(_ selector: UInt8...) -> [UInt8] { silentRead(selector) }

  /// Has the board read the value for its loggers; nothing is answered (section 2.2).
  func silentRead(_ selector: [UInt8]) -> [UInt8] {
    [module.rawValue, number | Self.readFlag | Self.silentFlag] + selector
  }

  /// Has the register's changes sent to the host, until unsubscribed or reset (section 2.3).
  var subscribe: [UInt8] { write(1) }

  /// Ends the sending of changes.
  var unsubscribe: [UInt8] { write(0) }

  /// The two bytes a notification of this register begins with, as a little-endian number.
  var notificationHeader: UInt16 { UInt16(module.rawValue) | UInt16(number) << 8 }

  /// How the answer to `read(selector)` begins.
  func answer(to selector: [UInt8] = []) -> AnswerPattern {
    AnswerPattern([read(selector)], "\(module.name) register \([number].hex)")
  }
}
