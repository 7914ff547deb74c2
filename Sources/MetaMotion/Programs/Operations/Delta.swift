import BoardKit

/// Lets a sample through once it lies far enough from the last one it let through (protocol reference, section 14.3,
/// type 0C).
struct Delta: ProcessorOperation {
  enum Mode: UInt8, Sendable, CaseIterable {
    case absolute = 0
    case differential
    /// 1 or -1.
    case binary
  }

  static let code: UInt8 = 0x0C
  var isMoving: Bool { true }
  var isResettable: Bool { true }
  let name = "differential"
  var mode: Mode
  /// Bytes of the source, 1–4.
  var length: Int
  var isSigned: Bool
  /// In the board's counts.
  var magnitude: UInt32

  var bytes: [UInt8] {
    var bytes = [
      ProcessorOperations.lengthBits(length, at: 0) | (isSigned ? 0b100 : 0) | mode.rawValue << 3
    ]
    bytes.append(number: magnitude)
    return bytes
  }

  init(_ mode: Mode, magnitude: Double, of input: SampleLayout) {
    let numbers = input.numbers ?? .plain(1)
    (self.mode, length, isSigned) = (mode, input.elementLength, numbers.isSigned)
    self.magnitude = UInt32(truncatingIfNeeded: numbers.counts(magnitude))
  }

  init?(_ bytes: [UInt8], on dialect: ProcessorDialect) {
    guard let head = bytes.first, let mode = Mode(rawValue: head >> 3 & 0b111),
      let magnitude = bytes.number(at: 1, as: UInt32.self)
    else { return nil }
    (self.mode, self.magnitude) = (mode, magnitude)
    length = ProcessorOperations.length(head, at: 0)
    isSigned = head & 0b100 != 0
  }

  func output(of input: SampleLayout, with buffers: [SampleLayout]) -> SampleLayout {
    switch mode {
    case .absolute: return input
    case .binary: return .numbers(.plain(1, isSigned: true))
    case .differential:
      guard var numbers = input.numbers else { return input }
      numbers.isSigned = true
      return .numbers(numbers)
    }
  }

  /// The value compared with, in four bytes.
  func state(of input: SampleLayout) -> SampleLayout? {
    guard var numbers = input.numbers else { return nil }
    (numbers.channels, numbers.width) = (1, 4)
    return .numbers(numbers)
  }

  func refusal(of input: SampleLayout, on dialect: ProcessorDialect) -> ProcessorRefusal? {
    if (input.numbers?.channels ?? 1) > 1 { return "takes one number, not a vector" }
    return ProcessorOperations.refusal(of: input, atMost: 4)
  }
}
