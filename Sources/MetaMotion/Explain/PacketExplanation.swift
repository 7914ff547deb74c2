package import FleetModel

/// What one packet says, for people.
package struct PacketExplanation: Hashable, Sendable {
  /// Who sent it.
  package enum Sender: String, Sendable, CaseIterable { case host, board }

  /// What it does to its register (protocol reference, section 2.2).
  package enum Access: String, Sendable {
    case write, read
    /// The value goes to the board's loggers alone.
    case silentRead = "silent-read"
    case answer, notification
  }

  /// One value in it.
  package struct Field: Hashable, Sendable {
    /// What it is, in words.
    package var name: String
    /// A number or flag as it is; text for what has a name.
    package var value: JSONValue
    /// Empty where there is none.
    package var unit: String
  }

  package var packet: [UInt8]
  package var sender: Sender
  /// The module's name; nil when the number is none we know.
  package var module: String?
  /// 0–63; nil for a packet of one byte.
  package var register: UInt8?
  /// What the register is; nil when it is none we know.
  package var registerName: String?
  package var access: Access?
  package var fields: [Field] = []
  /// Bytes after the header that nobody here can read.
  package var unknown: [UInt8] = []
  /// What hinders or qualifies the reading.
  package var notes: [String] = []
  /// Whether every byte was read, and none was missing.
  package var isComplete: Bool { registerName != nil && unknown.isEmpty && !isShort }
  /// Whether bytes are missing at the end.
  package var isShort = false
}
