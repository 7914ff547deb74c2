/// Arithmetic with a constant on every channel.
struct MathProcessor: DataProcessor {
  private enum Operation: UInt8, Sendable {
    case none = 0
    case add, multiply, divide, modulus, exponent, squareRoot, leftShift, rightShift, subtract, absolute
    case constant
  }

  private let outputLength: Int
  private let inputLength: Int
  private let channels: Int
  private let isSigned: Bool
  private let operation: Operation
  private let operand: Int64

  /// Six bytes, or seven with the number of channels.
  init?(configuration: [UInt8]) {
    guard (6...7).contains(configuration.count), let operation = Operation(rawValue: configuration[1]) else {
      return nil
    }
    outputLength = Int(configuration[0] & 0x03) + 1
    inputLength = Int(configuration[0] >> 2 & 0x03) + 1
    isSigned = configuration[0] & 0x10 != 0
    self.operation = operation
    operand = Int64(littleEndian: configuration[2..<6], isSigned: true)
    channels = configuration.count == 7 ? Int(configuration[6]) + 1 : 1
  }

  mutating func process(_ input: [UInt8], _ moment: ProcessorMoment) -> [UInt8]? {
    guard input.count >= channels * inputLength else { return nil }
    var output: [UInt8] = []
    for channel in 0..<channels {
      let bytes = input[channel * inputLength..<(channel + 1) * inputLength]
      guard let result = result(Int64(littleEndian: bytes, isSigned: isSigned)) else { return nil }
      output += result.littleEndianBytes(count: outputLength)
    }
    return output
  }

  /// Nil for a division by zero.
  private func result(_ value: Int64) -> Int64? {
    switch operation {
    case .none: value
    case .add: value &+ operand
    case .multiply: value &* operand
    case .divide: operand == 0 ? nil : value / operand
    case .modulus: operand == 0 ? nil : value % operand
    case .exponent: Self.power(value, operand)
    case .squareRoot: Int64(Double(max(value, 0)).squareRoot())
    // Shifts by more than a number is wide leave nothing of it; Swift's do not trap.
    case .leftShift: value << operand
    case .rightShift: value >> operand
    case .subtract: value &- operand
    case .absolute: abs(value)
    case .constant: operand
    }
  }

  /// By squaring, in 32 steps at most; a negative exponent leaves nothing of a whole number.
  private static func power(_ base: Int64, _ exponent: Int64) -> Int64 {
    guard exponent >= 0 else { return 0 }
    var (result, square, rest): (Int64, Int64, Int64) = (1, base, exponent)
    while rest > 0 {
      if rest & 1 == 1 { result = result &* square }
      square = square &* square
      rest >>= 1
    }
    return result
  }
}
