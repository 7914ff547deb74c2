/// Reports values that have moved far enough from the last one reported.
struct DeltaProcessor: DataProcessor {
  private enum Mode: UInt8, Sendable {
    case absolute = 0
    case differential, binary
  }

  private let length: Int
  private let isSigned: Bool
  private let mode: Mode
  private let magnitude: Int64
  private var reference: Int64 = 0

  init?(configuration: [UInt8]) {
    guard configuration.count == 5, let mode = Mode(rawValue: configuration[0] >> 3 & 0x07) else {
      return nil
    }
    length = Int(configuration[0] & 0x03) + 1
    isSigned = configuration[0] & 0x04 != 0
    self.mode = mode
    magnitude = Int64(littleEndian: configuration[1...], isSigned: false)
  }

  /// The reference is zero until a state or a value sets it.
  mutating func process(_ input: [UInt8], _ moment: ProcessorMoment) -> [UInt8]? {
    let value = Int64(littleEndian: input.prefix(length), isSigned: isSigned)
    let difference = value - reference
    guard abs(difference) >= magnitude else { return nil }
    reference = value
    switch mode {
    case .absolute: return input
    case .differential: return difference.littleEndianBytes(count: length)
    case .binary: return [difference < 0 ? 0xFF : 0x01]
    }
  }

  var state: [UInt8]? { reference.littleEndianBytes(count: 4) }

  mutating func setState(_ bytes: [UInt8]) {
    if bytes.isEmpty { reference = 0 }
    if (1...4).contains(bytes.count) { reference = Int64(littleEndian: bytes, isSigned: isSigned) }
  }

  mutating func takeOver(_ previous: Self) { reference = previous.reference }
}
