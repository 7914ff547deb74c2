/// Reset, disconnect and tools for whoever looks into the board (protocol reference 27).
struct DebugModule: FirmwareModule {
  static let id: UInt8 = 0xFE
  static let name = "debug"

  enum Register {
    static let reset: UInt8 = 0x01
    static let bootloader: UInt8 = 0x02
    static let spoof: UInt8 = 0x03
    static let key: UInt8 = 0x04
    static let resetAfterLink: UInt8 = 0x05
    static let disconnect: UInt8 = 0x06
    static let powerSave: UInt8 = 0x07
    static let invalidate: UInt8 = 0x08
    static let stackOverflow: UInt8 = 0x09
    static let queues: UInt8 = 0x0A
    static let resetCause: UInt8 = 0x0B
    static let flashHealth: UInt8 = 0x13
  }

  /// The first revision with reset cause and flash health is not known; the specification describes this one.
  private static let describedRevision: UInt8 = 6
  private static let freeStack: UInt16 = 3220
  /// As one board answered.
  private static let queueUsage: [UInt8] = [3, 2, 1, 0, 0x10, 1, 1, 0, 0, 0, 0x1B, 0, 0x1E]

  private let revision: UInt8
  private var key: [UInt8] = [0, 0, 0, 0]
  private var assertsStackOverflow: UInt8 = 0

  init(_ board: Mainboard) { revision = board.model.revision(of: Self.id) }

  mutating func write(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) {
    switch (register, payload.count) {
    case (Register.reset, 0): board.request = .reset
    case (Register.bootloader, 0): board.request = .bootloader(forGood: false)
    case (Register.spoof, 3...):
      // The third byte's meaning is not stated, and ignored.
      board.errands.append(
        .spoof(module: payload[0], register: payload[1], data: Array(payload[3...])))
    case (Register.key, 4): key = payload
    case (Register.resetAfterLink, 0): board.request = .resetAfterLink
    case (Register.disconnect, 0): board.request = .disconnect
    case (Register.powerSave, 0) where revision >= 1: board.request = .powerDownAtReset
    case (Register.invalidate, 0): board.request = .bootloader(forGood: true)
    case (Register.stackOverflow, 1) where revision >= 2: assertsStackOverflow = payload[0]
    default: break
    }
  }

  mutating func read(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) -> [UInt8]? {
    switch (register, payload.count) {
    case (Register.key, 0): return key
    case (Register.stackOverflow, 0) where revision >= 2:
      return [assertsStackOverflow] + Self.freeStack.littleEndianBytes
    case (Register.queues, 0...1) where revision >= 2: return Self.queueUsage
    case (Register.resetCause, 0) where revision >= Self.describedRevision:
      return [Self.bit(of: board.start.cause), 0, 0, 0]
    case (Register.flashHealth, 0) where revision >= Self.describedRevision && board.model.isS:
      return [UInt8](repeating: 0, count: 14)
    default: return nil
    }
  }

  private static func bit(of cause: Mainboard.Start.Cause) -> UInt8 {
    switch cause {
    case .powerOn: 0
    case .software: 0x04
    case .lockUp: 0x08
    }
  }
}
