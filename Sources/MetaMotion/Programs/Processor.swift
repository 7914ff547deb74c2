import BoardKit

/// The processor module: slots that compute on the board (protocol reference, section 14).
enum Processor {
  static let creation = Register(.processor, 0x02)
  static let output = Register(.processor, 0x03)
  static let state = Register(.processor, 0x04)
  static let modification = Register(.processor, 0x05)
  static let removal = Register(.processor, 0x06)
  static let notification = Register(.processor, 0x07)

  static let removeAll = Register(.processor, 0x08).write()
  /// Bytes of output that fit one notification; the firmware cuts off what is more.
  static let outputLimit = 17

  /// Sends a slot's output to the host. Both writes are needed (section 2.3).
  static func subscribe(_ slot: UInt8) -> [[UInt8]] { [notification.write(slot, 1), output.subscribe] }
  /// Ends it; other slots go on.
  static func unsubscribe(_ slot: UInt8) -> [UInt8] { notification.write(slot, 0) }
  /// Removes one slot; the firmware refuses while it has consumers (trap T37).
  static func remove(_ slot: UInt8) -> [UInt8] { removal.write(slot) }
  /// Changes a slot's configuration in place; the operation must be of the type that is there.
  static func modify(_ slot: UInt8, to operation: any ProcessorOperation) -> [UInt8] {
    modification.write([slot, type(of: operation).code] + operation.bytes)
  }
  /// Sets what a slot keeps; no bytes at all reset it.
  static func setState(_ slot: UInt8, _ bytes: [UInt8] = []) -> [UInt8] { state.write([slot] + bytes) }

  /// The slot that a board assigned, from the answer to a creation; nil when it is none.
  static func slot(_ reply: [UInt8]) -> UInt8? { reply.number(at: 2, as: UInt8.self) }
  /// What a slot keeps, from the answer to a read of `state`; nil when it is none.
  static func state(_ reply: [UInt8], of slot: UInt8) -> [UInt8]? {
    guard reply.count >= 3, reply[2] == slot else { return nil }
    return Array(reply[3...])
  }
}
