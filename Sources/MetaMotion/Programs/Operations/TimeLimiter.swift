import BoardKit

/// Lets at most one sample through per period (protocol reference, section 14.3, type 08).
struct TimeLimiter: ProcessorOperation {
  enum Mode: Sendable { case absolute, differential }

  static let code: UInt8 = 0x08
  let name = "time"
  /// Absolute samples as revision 1 and later pass them, whatever their length (trap T07).
  private static let passthroughMode: UInt8 = 2

  var mode: Mode
  /// Bytes of the source; only the three lowest bits of the length go on the wire.
  var length: Int
  var milliseconds: UInt32
  /// Whether the firmware passes absolute values of any length.
  var isLong: Bool

  var bytes: [UInt8] {
    let number: UInt8 = mode == .differential ? 1 : isLong ? Self.passthroughMode : 0
    var bytes = [UInt8(truncatingIfNeeded: (length &- 1) & 0b111) | number << 3]
    bytes.append(number: milliseconds)
    return bytes
  }

  init(_ mode: Mode, milliseconds: UInt32, of input: SampleLayout, on dialect: ProcessorDialect) {
    (self.mode, self.milliseconds, length) = (mode, milliseconds, input.elementLength)
    isLong = dialect.hasLongTimeLimiters
  }

  init?(_ bytes: [UInt8], on dialect: ProcessorDialect) {
    guard let head = bytes.first, let milliseconds = bytes.number(at: 1, as: UInt32.self) else { return nil }
    let number = head >> 3 & 0b111
    guard number <= Self.passthroughMode else { return nil }
    mode = number == 1 ? .differential : .absolute
    isLong = number == Self.passthroughMode
    length = Int(head & 0b111) + 1
    self.milliseconds = milliseconds
  }

  func output(of input: SampleLayout, with buffers: [SampleLayout]) -> SampleLayout {
    guard mode == .differential, var numbers = input.numbers else { return input }
    numbers.isSigned = true
    return .numbers(numbers)
  }

  func refusal(of input: SampleLayout, on dialect: ProcessorDialect) -> ProcessorRefusal? {
    if mode == .absolute, dialect.hasLongTimeLimiters { return nil }
    return ProcessorOperations.refusal(of: input, atMost: 4)
  }
}
