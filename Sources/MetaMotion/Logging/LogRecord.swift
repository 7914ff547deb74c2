import BoardKit

/// One entry of the log as it is read out (protocol reference, section 16.4).
struct LogRecord: Hashable, Sendable {
  /// Slot of the logger.
  var logger: UInt8
  /// Number of the reset since which the tick counts, 0–7.
  var resetID: UInt8
  /// 48/32768 s each.
  var tick: UInt32
  /// Four bytes.
  var data: [UInt8]

  private static let size = 9

  /// Reads the entry that begins at `offset`; nil when it does not lie wholly inside.
  init?(_ packet: [UInt8], at offset: Int) {
    guard offset >= 0, packet.count - offset >= Self.size,
      let tick = packet.number(at: offset + 1, as: UInt32.self)
    else { return nil }
    logger = packet[offset] & 0x1F
    resetID = packet[offset] >> 5
    self.tick = tick
    data = Array(packet[(offset + 5)..<(offset + Self.size)])
  }

  /// The one or two entries of a notification.
  static func records(in packet: [UInt8]) -> [LogRecord] {
    [2, 2 + size].compactMap { LogRecord(packet, at: $0) }
  }
}
