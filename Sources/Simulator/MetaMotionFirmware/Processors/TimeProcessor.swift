/// Lets values pass no more often than once per period, or tells how much they have changed since.
struct TimeProcessor: DataProcessor {
  private enum Mode: UInt8, Sendable {
    case absolute = 0
    case differential = 1
    /// As absolute, for input of any length.
    case passthrough = 2
  }

  private let mode: Mode
  private let period: Duration
  private var lastTime: Duration?
  private var lastValue: Int64 = 0

  init?(configuration: [UInt8]) {
    guard configuration.count == 5, let mode = Mode(rawValue: configuration[0] >> 3 & 0x07),
      let period = UInt32(littleEndian: configuration, at: 1)
    else { return nil }
    self.mode = mode
    self.period = .milliseconds(Int64(period))
  }

  /// The first value passes; of differences it is the first to differ from.
  mutating func process(_ input: [UInt8], _ moment: ProcessorMoment) -> [UInt8]? {
    if let lastTime, moment.uptime - lastTime < period { return nil }
    let isFirst = lastTime == nil
    lastTime = moment.uptime
    guard mode == .differential else { return input }
    let value = Int64(littleEndian: input, isSigned: true)
    defer { lastValue = value }
    return isFirst ? nil : (value &- lastValue).littleEndianBytes(count: input.count)
  }

  mutating func takeOver(_ previous: Self) {
    lastTime = previous.lastTime
    lastValue = previous.lastValue
  }
}
