/// Puts the time or a running number in front of samples (protocol reference, section 14.3, type 11).
struct Accounter: ProcessorOperation {
  static let code: UInt8 = 0x11
  var isResettable: Bool { true }
  let name = "account"
  /// With this the time is told in ticks of the log's clock (trap T58).
  private static let logTickPrescale: UInt8 = 3

  var prefix: SampleLayout.Prefix
  var prescale = Self.logTickPrescale

  var bytes: [UInt8] {
    [prefix.kind.rawValue | ProcessorOperations.lengthBits(prefix.width, at: 4), prescale & 0xF]
  }

  /// A number is as wide as the notification has room for, at most four bytes (trap T48); a tick is always four.
  init(_ kind: SampleLayout.Prefix.Kind, of input: SampleLayout) {
    let room = Processor.outputLimit - input.elementLength
    prefix = .init(kind: kind, width: kind == .tick ? 4 : min(4, max(1, room)))
  }

  init?(_ bytes: [UInt8], on dialect: ProcessorDialect) {
    guard bytes.count >= 2, let kind = SampleLayout.Prefix.Kind(rawValue: bytes[0] & 0xF) else { return nil }
    prefix = .init(kind: kind, width: ProcessorOperations.length(bytes[0], at: 4))
    prescale = bytes[1] & 0xF
  }

  func output(of input: SampleLayout, with buffers: [SampleLayout]) -> SampleLayout {
    .prefixed(prefix, input)
  }

  func refusal(of input: SampleLayout, on dialect: ProcessorDialect) -> ProcessorRefusal? {
    let total = prefix.width + input.byteCount
    return total <= Processor.outputLimit
      ? nil : "would yield \(total) bytes; a notification holds \(Processor.outputLimit)"
  }
}
