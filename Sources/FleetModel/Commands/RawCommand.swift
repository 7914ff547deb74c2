/// Packets sent as they are, for what no verb knows yet (MQTT contract 3.10).
public struct RawCommand: Hashable, Sendable {
  /// 1–16 packets of 2–20 bytes.
  public var packets: [[UInt8]]
  /// For how many packets from the board to wait, 0–16.
  public var answers: Int
  /// For how long, 100 ms – 10 s.
  public var timeout: Duration

  /// Sends `packets` and waits for `answers`.
  public init(packets: [[UInt8]], answers: Int = 0, timeout: Duration = .seconds(1)) {
    (self.packets, self.answers, self.timeout) = (packets, answers, timeout)
  }

  /// Throws `denied` for what makes a board wait in its bootloader for good (protocol reference, section 27): at once,
  /// or kept by an event or a macro for later.
  static func check(_ packet: [UInt8]) throws(CommandFailure) {
    guard destroyers.contains(where: { $0.isFound(in: packet) }) else { return }
    throw CommandFailure(
      .denied,
      "\(Hex.string(packet)) leaves the board in its bootloader until it is flashed; use the verb bootloader")
  }

  /// Where a packet names a module and a register of it.
  private struct Place {
    var prefix: [UInt8]
    var offset: Int

    /// Flags of reads do not count: what firmware makes of them there is not known.
    func isFound(in packet: [UInt8]) -> Bool {
      packet.count >= offset + 2 && packet.starts(with: prefix) && packet[offset] == 0xFE
        && packet[offset + 1] & 0x3F == 0x08
    }
  }

  /// By itself; as the command of an event; added to a macro, whole or by its first part.
  private static let destroyers = [
    Place(prefix: [], offset: 0), Place(prefix: [0x0A, 0x02], offset: 5),
    Place(prefix: [0x0F, 0x03], offset: 2),
    Place(prefix: [0x0F, 0x09], offset: 2),
  ]
}
