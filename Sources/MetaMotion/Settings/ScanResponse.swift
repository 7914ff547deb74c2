import BoardKit

/// What the board answers to who scans actively: raw structures of advertisements (protocol reference, section 20).
enum ScanResponse {
  static let register = Register(.settings, 0x07)
  private static let firstPart = Register(.settings, 0x08)
  static let limit = 31
  /// What fits one packet, and what the first of two parts holds.
  static let packetLimit = 18
  private static let partLength = 13

  /// Sets it, in two parts where it is long.
  static func set(_ bytes: [UInt8]) -> [[UInt8]] {
    guard bytes.count > packetLimit else { return [register.write(bytes)] }
    return [
      firstPart.write(Array(bytes.prefix(partLength))), register.write(Array(bytes.dropFirst(partLength))),
    ]
  }

  /// From the answer to a read, which carries at most 18 bytes of it; nil when it is none.
  static func bytes(_ reply: [UInt8]) -> [UInt8]? { reply.count >= 2 ? Array(reply.dropFirst(2)) : nil }
}
