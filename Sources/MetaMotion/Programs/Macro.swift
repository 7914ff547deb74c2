import BoardKit

/// Commands that the board keeps in flash and runs when told, or whenever it starts (protocol reference, section 19).
struct Macro: Hashable, Sendable {
  var isRunAtBoot: Bool
  var commands: [[UInt8]]

  static let beginning = Register(.macro, 0x02)
  static let addition = Register(.macro, 0x03)
  private static let execution = Register(.macro, 0x05)
  private static let notification = Register(.macro, 0x06)
  static let finished = Register(.macro, 0x07)
  private static let partial = Register(.macro, 0x09)

  static let end = Register(.macro, 0x04).write()
  /// Erases all, once the link is gone; there is no erasing of one.
  static let eraseAll = Register(.macro, 0x08).write()
  /// From this length on commands are sent in two parts, as the vendor's hosts do. C++ then loses the last two bytes
  /// (trap T15).
  private static let splitLength = 18

  /// Begins it; the board answers with the slot.
  var begin: [UInt8] { Self.beginning.write(isRunAtBoot ? 1 : 0) }
  /// Fills and ends it.
  var contents: [[UInt8]] { commands.flatMap(Self.add) + [Self.end] }

  /// Adds one command; a long one in two parts.
  static func add(_ command: [UInt8]) -> [[UInt8]] {
    guard command.count >= splitLength else { return [addition.write(command)] }
    return [partial.write(Array(command.prefix(2))), addition.write(Array(command.dropFirst(2)))]
  }

  /// The slot that a board assigned, from the answer to `begin`; nil when it is none.
  static func slot(_ reply: [UInt8]) -> UInt8? { reply.number(at: 2, as: UInt8.self) }
  static func run(_ slot: UInt8) -> [UInt8] { execution.write(slot) }
  /// Whether the host hears that it has finished.
  static func setNotification(_ slot: UInt8, _ isOn: Bool) -> [UInt8] {
    notification.write(slot, isOn ? 1 : 0)
  }

  /// What a board says of a slot.
  struct Header: Hashable, Sendable {
    var isRunAtBoot: Bool
    /// Presumably the number of commands (section 19).
    var length: UInt8
  }

  /// Reads the answer to a read of `beginning`; nil for an empty slot.
  static func header(_ reply: [UInt8], of slot: UInt8) -> Header? {
    guard reply.count >= 5, reply[2] == slot, reply[3] <= 1, reply[4] != 0, reply[4] != 0xFF else {
      return nil
    }
    return Header(isRunAtBoot: reply[3] == 1, length: reply[4])
  }

  /// One stored command, from the answer to a read of `addition`; nil when there is none.
  static func command(_ reply: [UInt8]) -> [UInt8]? {
    reply.count >= 4 ? Array(reply.dropFirst(2)) : nil
  }
}
