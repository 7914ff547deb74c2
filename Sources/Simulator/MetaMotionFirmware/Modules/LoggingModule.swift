/// The log's clock, and an empty log (protocol reference 16).
struct LoggingModule: FirmwareModule {
  static let id: UInt8 = 0x0B

  private enum Register {
    static let enable: UInt8 = 0x01
    static let clock: UInt8 = 0x04
    static let length: UInt8 = 0x05
  }

  private var isLogging = false

  init(_ board: Mainboard) {}

  mutating func write(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) {
    guard register == Register.enable, payload.count == 1, payload[0] <= 1 else { return }
    isLogging = payload[0] == 1
  }

  mutating func read(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) -> [UInt8]? {
    guard payload.isEmpty else { return nil }
    switch register {
    case Register.enable: return [isLogging ? 1 : 0]
    case Register.clock:
      return Self.tick(at: board.now - board.startedAt).littleEndianBytes + [board.resetCount]
    case Register.length: return [0, 0, 0, 0]
    default: return nil
    }
  }

  /// One tick is 48/32768 s; the count wraps after 72.8 days (protocol reference 16.7).
  static func tick(at uptime: Duration) -> UInt32 {
    // 2048 ticks in exactly three seconds: whole threes and the rest apart, so that nothing overflows or rounds.
    let (seconds, attoseconds) = uptime.components
    let rest = (seconds % 3) * 1_000_000_000 + attoseconds / 1_000_000_000
    return UInt32(truncatingIfNeeded: seconds / 3 &* 2048 &+ rest * 2048 / 3_000_000_000)
  }
}
