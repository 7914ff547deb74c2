import BoardKit

/// Tells when samples cross a boundary (protocol reference, section 14.3, type 0D).
struct Threshold: ProcessorOperation {
  enum Mode: UInt8, Sendable, CaseIterable {
    /// The sample that crossed.
    case absolute = 0
    /// 1 above and -1 below; one signed byte (trap T10).
    case binary
  }

  static let code: UInt8 = 0x0D
  let name = "threshold"
  var mode: Mode
  /// Bytes of the source, 1–4.
  var length: Int
  var isSigned: Bool
  /// In the board's counts.
  var boundary: Int32
  var hysteresis: UInt16

  var bytes: [UInt8] {
    var bytes = [
      ProcessorOperations.lengthBits(length, at: 0) | (isSigned ? 0b100 : 0) | mode.rawValue << 3
    ]
    bytes.append(number: boundary)
    bytes.append(number: hysteresis)
    return bytes
  }

  init(_ mode: Mode, boundary: Double, hysteresis: Double = 0, of input: SampleLayout) {
    let numbers = input.numbers ?? .plain(1)
    (self.mode, length, isSigned) = (mode, input.elementLength, numbers.isSigned)
    self.boundary = Int32(truncatingIfNeeded: numbers.counts(boundary))
    self.hysteresis = UInt16(clamping: numbers.counts(hysteresis))
  }

  init?(_ bytes: [UInt8], on dialect: ProcessorDialect) {
    guard let head = bytes.first, let mode = Mode(rawValue: head >> 3 & 0b111),
      let boundary = bytes.number(at: 1, as: Int32.self),
      let hysteresis = bytes.number(at: 5, as: UInt16.self)
    else { return nil }
    (self.mode, self.boundary, self.hysteresis) = (mode, boundary, hysteresis)
    length = ProcessorOperations.length(head, at: 0)
    isSigned = head & 0b100 != 0
  }

  func output(of input: SampleLayout, with buffers: [SampleLayout]) -> SampleLayout {
    mode == .binary ? .numbers(.plain(1, isSigned: true)) : input
  }

  func refusal(of input: SampleLayout, on dialect: ProcessorDialect) -> ProcessorRefusal? {
    if (input.numbers?.channels ?? 1) > 1 { return "takes one number, not a vector" }
    return ProcessorOperations.refusal(of: input, atMost: 4)
  }
}
