/// Keeps the last sample for whoever asks, and tells nothing by itself (protocol reference, section 14.3, type 0F).
struct Buffer: ProcessorOperation {
  static let code: UInt8 = 0x0F
  var isMoving: Bool { true }
  var isResettable: Bool { true }
  let name = "buffer"
  /// Bytes of the source, 1–17.
  var length: Int

  var bytes: [UInt8] { [UInt8(truncatingIfNeeded: (length &- 1) & 0x1F)] }

  init(of input: SampleLayout) { length = input.elementLength }

  init?(_ bytes: [UInt8], on dialect: ProcessorDialect) {
    guard let byte = bytes.first else { return nil }
    length = Int(byte & 0x1F) + 1
  }

  func output(of input: SampleLayout, with buffers: [SampleLayout]) -> SampleLayout { input }
  func state(of input: SampleLayout) -> SampleLayout? { input }

  func refusal(of input: SampleLayout, on dialect: ProcessorDialect) -> ProcessorRefusal? {
    guard dialect.hasBuffer else { return .board("needs firmware 1.1.0") }
    return input.elementLength <= Processor.outputLimit
      ? nil : "takes at most \(Processor.outputLimit) bytes, not \(input.elementLength)"
  }
}
