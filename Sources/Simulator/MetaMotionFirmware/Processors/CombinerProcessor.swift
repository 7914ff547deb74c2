/// Makes one number of several channels: the root of the sum, or of the mean, of their squares.
struct CombinerProcessor: DataProcessor {
  private let outputLength: Int
  private let inputLength: Int
  private let channels: Int
  private let isSigned: Bool
  private let isMean: Bool

  init?(configuration: [UInt8]) {
    guard configuration.count == 2, configuration[1] <= 1 else { return nil }
    outputLength = Int(configuration[0] & 0x03) + 1
    inputLength = Int(configuration[0] >> 2 & 0x03) + 1
    channels = Int(configuration[0] >> 4 & 0x07) + 1
    isSigned = configuration[0] & 0x80 != 0
    isMean = configuration[1] == 0
  }

  /// Unsigned, and as large as fits.
  mutating func process(_ input: [UInt8], _ moment: ProcessorMoment) -> [UInt8]? {
    guard input.count >= channels * inputLength else { return nil }
    let squares = (0..<channels).map { channel -> Double in
      let bytes = input[channel * inputLength..<(channel + 1) * inputLength]
      let value = Double(Int64(littleEndian: bytes, isSigned: isSigned))
      return value * value
    }
    let sum = squares.reduce(0, +)
    let root = (isMean ? sum / Double(channels) : sum).squareRoot()
    let limit = Int64(1) << Int64(8 * outputLength) - 1
    return min(Int64(root), limit).littleEndianBytes(count: outputLength)
  }
}
