/// Sums values up, or counts them.
struct AccumulatorProcessor: DataProcessor {
  private let outputLength: Int
  private let inputLength: Int
  private let counts: Bool
  private var total: UInt32 = 0

  init?(configuration: [UInt8]) {
    guard configuration.count == 1, configuration[0] >> 4 & 0x07 <= 1 else { return nil }
    outputLength = Int(configuration[0] & 0x03) + 1
    inputLength = Int(configuration[0] >> 2 & 0x03) + 1
    counts = configuration[0] >> 4 & 0x07 == 1
  }

  /// The configuration has no sign: values narrower than the sum are taken as signed, as most sensors' are.
  mutating func process(_ input: [UInt8], _ moment: ProcessorMoment) -> [UInt8]? {
    if counts {
      total &+= 1
    } else {
      let value = Int64(littleEndian: input.prefix(inputLength), isSigned: true)
      total &+= UInt32(truncatingIfNeeded: value)
    }
    return Array(total.littleEndianBytes.prefix(outputLength))
  }

  var state: [UInt8]? { total.littleEndianBytes }

  mutating func setState(_ bytes: [UInt8]) {
    if bytes.isEmpty { total = 0 }
    if bytes.count == 4 { total = UInt32(littleEndian: bytes) ?? total }
  }

  mutating func takeOver(_ previous: Self) { total = previous.total }
}
