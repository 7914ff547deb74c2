/// A low-pass filter that needs no memory of samples, `y += (x - y) / depth`, or the high-pass that is left over.
struct AverageProcessor: DataProcessor {
  /// The average is kept this much finer than the values, so that small differences do not vanish.
  private static let fineness: Int64 = 256

  private let depth: Int64
  private let isHighPass: Bool
  private let channels: Int
  private var averages: [Int64] = []

  /// Two bytes, or three with the number of channels.
  init?(configuration: [UInt8]) {
    guard (2...3).contains(configuration.count), configuration[1] > 0 else { return nil }
    isHighPass = configuration[0] & 0x20 != 0
    depth = Int64(configuration[1])
    channels = configuration.count == 3 ? Int(configuration[2]) + 1 : 1
  }

  mutating func process(_ input: [UInt8], _ moment: ProcessorMoment) -> [UInt8]? {
    let width = input.count / channels
    guard (1...8).contains(width), width * channels == input.count else { return nil }
    var output: [UInt8] = []
    for channel in 0..<channels {
      let value = Int64(littleEndian: input[channel * width..<(channel + 1) * width], isSigned: true)
      let average = average(value, channel: channel)
      output += (isHighPass ? value &- average : average).littleEndianBytes(count: width)
    }
    return output
  }

  mutating func setState(_ bytes: [UInt8]) { if bytes.isEmpty { averages = [] } }

  mutating func takeOver(_ previous: Self) {
    if channels == previous.channels { averages = previous.averages }
  }

  /// The first value is the first average.
  private mutating func average(_ value: Int64, channel: Int) -> Int64 {
    let scaled = value &* Self.fineness
    if averages.count <= channel {
      averages.append(scaled)
    } else {
      averages[channel] &+= (scaled &- averages[channel]) / depth
    }
    return averages[channel] / Self.fineness
  }
}
