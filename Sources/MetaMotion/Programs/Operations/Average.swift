/// A recursive average, or what is left when it is taken away (protocol reference, section 14.3, type 03).
struct Average: ProcessorOperation {
  static let code: UInt8 = 0x03
  var isResettable: Bool { true }
  private static let highPassBit: UInt8 = 0x20

  /// Samples it remembers, so to speak; powers of two are cheap for the board.
  var depth: UInt8
  var isHighPass: Bool
  /// Bytes of the source; only the two lowest bits of the length go on the wire.
  var length: Int
  /// Nil where the firmware does not want to know (revisions before 2).
  var channels: Int?

  var name: String { isHighPass ? "high-pass" : "low-pass" }

  var bytes: [UInt8] {
    let lengths =
      ProcessorOperations.lengthBits(length, at: 0) | ProcessorOperations.lengthBits(length, at: 2)
    let head = [isHighPass ? lengths | Self.highPassBit : lengths, depth]
    return channels.map { head + [UInt8(truncatingIfNeeded: $0 &- 1)] } ?? head
  }

  init(of input: SampleLayout, depth: UInt8, isHighPass: Bool = false, on dialect: ProcessorDialect) {
    (self.depth, self.isHighPass, length) = (depth, isHighPass, input.elementLength)
    channels = dialect.hasLongAverages ? input.numbers?.channels ?? 1 : nil
  }

  init?(_ bytes: [UInt8], on dialect: ProcessorDialect) {
    guard bytes.count >= 2 else { return nil }
    depth = bytes[1]
    isHighPass = bytes[0] & Self.highPassBit != 0
    length = ProcessorOperations.length(bytes[0], at: 0)
    channels = dialect.hasLongAverages && bytes.count > 2 ? Int(bytes[2]) + 1 : nil
  }

  func output(of input: SampleLayout, with buffers: [SampleLayout]) -> SampleLayout {
    guard isHighPass, var numbers = input.numbers else { return input }
    numbers.isSigned = true
    return .numbers(numbers)
  }

  func refusal(of input: SampleLayout, on dialect: ProcessorDialect) -> ProcessorRefusal? {
    if isHighPass, !dialect.hasHighPass {
      return .board("needs firmware 1.2.2 and revision 2 of the processor module")
    }
    return ProcessorOperations.refusal(
      of: input, atMost: dialect.hasLongAverages ? Processor.outputLimit : 4)
  }
}
