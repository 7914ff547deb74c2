/// Yields the sample of some samples ago (protocol reference, section 14.3, type 0A).
struct SampleDelay: ProcessorOperation {
  static let code: UInt8 = 0x0A
  let name = "delay"
  /// Bytes of the source, 1–16.
  var length: Int
  /// How many samples it holds.
  var count: UInt8

  var bytes: [UInt8] { [UInt8(truncatingIfNeeded: (length &- 1) & 0xF), count] }

  init(_ count: UInt8, of input: SampleLayout) { (self.count, length) = (count, input.elementLength) }

  init?(_ bytes: [UInt8], on dialect: ProcessorDialect) {
    guard bytes.count >= 2 else { return nil }
    (length, count) = (Int(bytes[0] & 0xF) + 1, bytes[1])
  }

  func output(of input: SampleLayout, with buffers: [SampleLayout]) -> SampleLayout { input }

  func refusal(of input: SampleLayout, on dialect: ProcessorDialect) -> ProcessorRefusal? {
    let limit = dialect.hasLongDelays ? 16 : 4
    return input.elementLength <= limit ? nil : "takes at most \(limit) bytes, not \(input.elementLength)"
  }
}
