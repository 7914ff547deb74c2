/// Reports values that cross a boundary, one way or the other.
struct ThresholdProcessor: DataProcessor {
  private let length: Int
  private let isSigned: Bool
  private let isBinary: Bool
  private let boundary: Int64
  private let hysteresis: Int64
  /// Nil before the first value.
  private var isAbove: Bool?

  init?(configuration: [UInt8]) {
    guard configuration.count == 7, configuration[0] >> 3 & 0x07 <= 1,
      let hysteresis = UInt16(littleEndian: configuration, at: 5)
    else { return nil }
    length = Int(configuration[0] & 0x03) + 1
    isSigned = configuration[0] & 0x04 != 0
    isBinary = configuration[0] >> 3 & 0x07 == 1
    boundary = Int64(littleEndian: configuration[1..<5], isSigned: true)
    self.hysteresis = Int64(hysteresis)
  }

  /// The first value shows on which side things begin, and crosses nothing.
  mutating func process(_ input: [UInt8], _ moment: ProcessorMoment) -> [UInt8]? {
    let value = Int64(littleEndian: input.prefix(length), isSigned: isSigned)
    guard let wasAbove = isAbove else {
      isAbove = value >= boundary
      return nil
    }
    let isAbove = wasAbove ? value >= boundary - hysteresis : value >= boundary + hysteresis
    guard isAbove != wasAbove else { return nil }
    self.isAbove = isAbove
    return isBinary ? [isAbove ? 0x01 : 0xFF] : input
  }

  mutating func takeOver(_ previous: Self) { isAbove = previous.isAbove }
}
