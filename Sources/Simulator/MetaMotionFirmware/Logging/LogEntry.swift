/// One entry of the log: which logger, when, and up to four bytes (protocol reference 16.4).
struct LogEntry: Sendable, Equatable {
  private let header: UInt8
  private let tick: UInt32
  private let data: UInt32

  init(logger: UInt8, resetCount: UInt8, tick: UInt32, data: [UInt8]) {
    header = (resetCount & 0x07) << 5 | logger & 0x1F
    self.tick = tick
    self.data = data.prefix(4).enumerated().reduce(0) { $0 | UInt32($1.element) << UInt32(8 * $1.offset) }
  }

  /// Nine bytes, as read out.
  var bytes: [UInt8] { [header] + tick.littleEndianBytes + data.littleEndianBytes }

  /// Whether `other` is of the same run of the processor, and less than `limit` ticks later.
  func isShortly(before other: LogEntry, within limit: UInt32) -> Bool {
    header >> 5 == other.header >> 5 && other.tick &- tick < limit
  }
}
