/// Puts the time, or a running number, before each value.
struct AccounterProcessor: DataProcessor {
  private let countsPackets: Bool
  private let prefixLength: Int
  private let prescale: UInt64
  private var count: UInt64 = 0

  init?(configuration: [UInt8]) {
    guard configuration.count == 2, configuration[0] & 0x0F <= 1 else { return nil }
    countsPackets = configuration[0] & 0x0F == 0
    prefixLength = Int(configuration[0] >> 4 & 0x03) + 1
    prescale = UInt64(configuration[1] & 0x0F)
  }

  /// The time in units of 6/32768 s, shifted right by the prescaler: with 3 it is the log's tick.
  mutating func process(_ input: [UInt8], _ moment: ProcessorMoment) -> [UInt8]? {
    let number = countsPackets ? count : LogClock.eighths(at: moment.uptime) >> prescale
    count &+= 1
    return Array(number.littleEndianBytes.prefix(prefixLength)) + input
  }

  mutating func setState(_ bytes: [UInt8]) { if bytes.isEmpty { count = 0 } }

  mutating func takeOver(_ previous: Self) { count = previous.count }
}
