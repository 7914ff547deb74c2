import BoardKit

/// "When this signal comes, run that command": what stands in an event slot (protocol reference, section 15).
struct EventEntry: Hashable, Sendable {
  var source: SignalAddress
  /// A whole packet: module, register with its flags, parameters.
  var command: [UInt8]
  var token: DataToken?

  static let creation = Register(.event, 0x02)
  static let parameters = Register(.event, 0x03)
  private static let removal = Register(.event, 0x04)
  static let removeAll = Register(.event, 0x05).write()
  /// Bytes of parameters that fit one packet.
  static let parameterLimit = 18

  /// Wants `command` run whenever `source` comes; nil when it is no packet, or too long to be kept.
  init?(on source: SignalAddress, run command: [UInt8], token: DataToken? = nil) {
    guard (2...2 + Self.parameterLimit).contains(command.count) else { return nil }
    (self.source, self.command, self.token) = (source, command, token)
  }

  /// Creates it. Boards tell the slot after the first packet, or not before the second (trap T19).
  var commands: [[UInt8]] {
    let parameters = Array(command.dropFirst(2))
    let head = source.bytes + command.prefix(2) + [UInt8(parameters.count)] + (token?.bytes ?? [])
    return [Self.creation.write(head), Self.parameters.write(parameters)]
  }

  /// Reads the answers to reads of `creation` and `parameters`; nil for an empty slot.
  init?(_ reply: [UInt8], parameters: [UInt8]) {
    guard reply.count >= 8, let source = SignalAddress(reply, at: 2) else { return nil }
    let onBoard = parameters.dropFirst(2).prefix(Int(reply[7]))
    guard onBoard.count == Int(reply[7]) else { return nil }
    let token = reply.count >= 10 ? DataToken(reply[8], reply[9]) : nil
    self.init(on: source, run: Array(reply[5...6]) + onBoard, token: token)
  }

  /// The slot that a board assigned, from the answer to a creation; nil when it is none.
  static func slot(_ reply: [UInt8]) -> UInt8? { reply.number(at: 2, as: UInt8.self) }
  static func remove(_ slot: UInt8) -> [UInt8] { removal.write(slot) }
}
