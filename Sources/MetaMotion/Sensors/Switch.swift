import BoardKit

/// The push button (protocol reference, section 5).
enum Switch {
  static let state = Register(.switch, 0x01)

  /// Whether the button is down, from the answer to a read; nil when it is none.
  static func isPressed(_ reply: [UInt8]) -> Bool? { reply.number(at: 2, as: UInt8.self).map { $0 != 0 } }
}
