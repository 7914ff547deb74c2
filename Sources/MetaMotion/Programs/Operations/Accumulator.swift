/// Adds samples up, or counts them (protocol reference, section 14.3, type 02).
struct Accumulator: ProcessorOperation {
  enum Mode: UInt8, Sendable { case sum = 0, count = 1 }

  static let code: UInt8 = 0x02
  var isMoving: Bool { true }
  var isResettable: Bool { true }
  var mode: Mode
  /// Bytes that go in and come out, 1–4 each.
  var inputLength, outputLength: Int

  var name: String { mode == .sum ? "accumulate" : "count" }

  var bytes: [UInt8] {
    [
      ProcessorOperations.lengthBits(outputLength, at: 0) | ProcessorOperations.lengthBits(inputLength, at: 2)
        | mode.rawValue << 4
    ]
  }

  init(_ mode: Mode, of input: SampleLayout, size: Int) {
    (self.mode, inputLength, outputLength) = (mode, input.elementLength, size)
  }

  init?(_ bytes: [UInt8], on dialect: ProcessorDialect) {
    guard let byte = bytes.first, let mode = Mode(rawValue: byte >> 4 & 0b111) else { return nil }
    self.mode = mode
    inputLength = ProcessorOperations.length(byte, at: 2)
    outputLength = ProcessorOperations.length(byte, at: 0)
  }

  func output(of input: SampleLayout, with buffers: [SampleLayout]) -> SampleLayout {
    guard mode == .sum, var numbers = input.numbers else { return .numbers(.plain(outputLength)) }
    // The size is that of all channels together; too little for them all leaves one.
    if outputLength % numbers.channels == 0 {
      numbers.width = outputLength / numbers.channels
    } else {
      (numbers.channels, numbers.width) = (1, outputLength)
    }
    return .numbers(numbers)
  }

  /// Always told in four bytes.
  func state(of input: SampleLayout) -> SampleLayout? {
    guard mode == .sum, var numbers = input.numbers else { return .numbers(.plain(4)) }
    (numbers.channels, numbers.width) = (1, 4)
    return .numbers(numbers)
  }

  /// Counting works on anything.
  func refusal(of input: SampleLayout, on dialect: ProcessorDialect) -> ProcessorRefusal? {
    mode == .count ? nil : ProcessorOperations.refusal(of: input, atMost: 4)
  }
}
