/// Collects samples and tells them together (protocol reference, section 14.3, type 10).
struct Packer: ProcessorOperation {
  static let code: UInt8 = 0x10
  var isResettable: Bool { true }
  let name = "packer"
  /// Bytes of a sample.
  var length: Int
  /// Samples in a notification.
  var count: Int

  var bytes: [UInt8] {
    [UInt8(truncatingIfNeeded: (length &- 1) & 0x1F), UInt8(truncatingIfNeeded: (count &- 1) & 0x1F)]
  }

  init(_ count: Int, of input: SampleLayout) { (self.count, length) = (count, input.elementLength) }

  init?(_ bytes: [UInt8], on dialect: ProcessorDialect) {
    guard bytes.count >= 2 else { return nil }
    (length, count) = (Int(bytes[0] & 0x1F) + 1, Int(bytes[1] & 0x1F) + 1)
  }

  func output(of input: SampleLayout, with buffers: [SampleLayout]) -> SampleLayout { .packed(count, input) }

  func refusal(of input: SampleLayout, on dialect: ProcessorDialect) -> ProcessorRefusal? {
    let total = count * input.byteCount
    return total <= Processor.outputLimit
      ? nil : "would yield \(total) bytes; a notification holds \(Processor.outputLimit)"
  }
}
