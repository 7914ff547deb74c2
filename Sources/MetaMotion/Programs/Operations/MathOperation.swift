import BoardKit

/// Computes with samples (protocol reference, section 14.3, type 09).
struct MathOperation: ProcessorOperation {
  enum Kind: UInt8, Sendable, CaseIterable {
    case add = 1, multiply, divide, modulus, exponent, squareRoot, leftShift, rightShift, subtract, absolute
    case constant

    /// Whether the right side is in the samples' unit.
    var isInUnit: Bool { self == .add || self == .subtract || self == .modulus }
    /// Whether the result is in the samples' unit.
    var keepsUnit: Bool {
      switch self {
      case .add, .multiply, .divide, .modulus, .subtract, .absolute: true
      case .exponent, .squareRoot, .leftShift, .rightShift, .constant: false
      }
    }
    /// Whether there is a right side at all.
    var isBinary: Bool { self != .squareRoot && self != .absolute }
  }

  static let code: UInt8 = 0x09
  let name = "math"
  /// Where the right side lies in the parameters of a modification, for data tokens (section 15.3).
  static let rightSideOffset: UInt8 = 4

  var kind: Kind
  /// Bytes of a channel that go in and come out, 1–4 each.
  var inputWidth, outputWidth: Int
  var isSigned: Bool
  /// In the board's counts.
  var rightSide: Int32
  /// Nil where the firmware does not want to know (before 1.1.0).
  var channels: Int?

  var bytes: [UInt8] {
    var bytes = [
      ProcessorOperations.lengthBits(outputWidth, at: 0) | ProcessorOperations.lengthBits(inputWidth, at: 2)
        | (isSigned ? 0x10 : 0),
      kind.rawValue,
    ]
    bytes.append(number: rightSide)
    if let channels { bytes.append(UInt8(truncatingIfNeeded: channels &- 1)) }
    return bytes
  }

  /// Computes with `value`: in the samples' unit where that makes sense, a plain number otherwise.
  init(_ kind: Kind, _ value: Double = 0, of input: SampleLayout, on dialect: ProcessorDialect) {
    let numbers = input.numbers ?? .plain(1)
    self.kind = kind
    (inputWidth, isSigned) = (numbers.width, numbers.isSigned)
    rightSide = Int32(truncatingIfNeeded: (kind.isInUnit ? numbers : numbers.withoutUnit).counts(value))
    outputWidth = Self.outputWidth(kind, rightSide, numbers.width)
    channels = dialect.hasChannelMath ? numbers.channels : nil
  }

  /// Shifts by whole bytes change the width; all else computes in four bytes.
  private static func outputWidth(_ kind: Kind, _ rightSide: Int32, _ width: Int) -> Int {
    let bytes = Int(min(max(rightSide, 0), 32)) / 8
    return switch kind {
    case .rightShift: max(1, width - bytes)
    case .leftShift: min(4, width + bytes)
    default: 4
    }
  }

  init?(_ bytes: [UInt8], on dialect: ProcessorDialect) {
    guard bytes.count >= 6, let kind = Kind(rawValue: bytes[1]),
      let rightSide = bytes.number(at: 2, as: Int32.self)
    else { return nil }
    (self.kind, self.rightSide) = (kind, rightSide)
    outputWidth = ProcessorOperations.length(bytes[0], at: 0)
    inputWidth = ProcessorOperations.length(bytes[0], at: 2)
    isSigned = bytes[0] & 0x10 != 0
    channels = dialect.hasChannelMath && bytes.count > 6 ? Int(bytes[6]) + 1 : nil
  }

  func output(of input: SampleLayout, with buffers: [SampleLayout]) -> SampleLayout {
    var numbers = input.numbers ?? .plain(inputWidth)
    if !kind.keepsUnit { numbers = numbers.withoutUnit }
    numbers.width = outputWidth
    switch kind {
    case .subtract: numbers.isSigned = true
    case .squareRoot, .absolute: numbers.isSigned = false
    default: break
    }
    return .numbers(numbers)
  }

  func refusal(of input: SampleLayout, on dialect: ProcessorDialect) -> ProcessorRefusal? {
    if !dialect.hasChannelMath, kind == .constant || (input.numbers?.channels ?? 1) > 1 {
      return .board("needs firmware 1.1.0 for constants and vectors")
    }
    if (input.numbers?.channels ?? 1) * outputWidth > Processor.outputLimit {
      return "would yield more than \(Processor.outputLimit) bytes"
    }
    return ProcessorOperations.refusal(of: input, atMost: dialect.hasChannelMath ? 12 : 4)
  }
}
