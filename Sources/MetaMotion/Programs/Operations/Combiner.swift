/// Makes one number of a vector: its root mean square or its length (protocol reference, section 14.3, type 07).
struct Combiner: ProcessorOperation {
  enum Mode: UInt8, Sendable { case rms = 0, rss = 1 }

  static let code: UInt8 = 0x07
  var mode: Mode
  /// Bytes of a channel, 1–4.
  var width: Int
  var channels: Int
  var isSigned: Bool

  var name: String { mode == .rms ? "rms" : "rss" }

  var bytes: [UInt8] {
    let lengths = ProcessorOperations.lengthBits(width, at: 0) | ProcessorOperations.lengthBits(width, at: 2)
    let count = UInt8(truncatingIfNeeded: (channels &- 1) & 0b111) << 4
    return [lengths | count | (isSigned ? 0x80 : 0), mode.rawValue]
  }

  init(_ mode: Mode, of input: SampleLayout) {
    let numbers = input.numbers ?? .plain(1)
    (self.mode, width, channels, isSigned) = (mode, numbers.width, numbers.channels, numbers.isSigned)
  }

  init?(_ bytes: [UInt8], on dialect: ProcessorDialect) {
    guard bytes.count >= 2, let mode = Mode(rawValue: bytes[1]) else { return nil }
    self.mode = mode
    width = ProcessorOperations.length(bytes[0], at: 0)
    channels = Int(bytes[0] >> 4 & 0b111) + 1
    isSigned = bytes[0] & 0x80 != 0
  }

  func output(of input: SampleLayout, with buffers: [SampleLayout]) -> SampleLayout {
    var numbers = input.numbers ?? .plain(width)
    (numbers.channels, numbers.isSigned) = (1, false)
    return .numbers(numbers)
  }

  func refusal(of input: SampleLayout, on dialect: ProcessorDialect) -> ProcessorRefusal? {
    guard let numbers = input.numbers, numbers.channels > 1 else { return "takes a vector" }
    return ProcessorOperations.refusal(of: input, atMost: 12)
  }
}
