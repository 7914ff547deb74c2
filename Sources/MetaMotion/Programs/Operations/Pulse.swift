import BoardKit

/// Finds stretches above a threshold (protocol reference, section 14.3, type 0B).
struct Pulse: ProcessorOperation {
  enum Output: UInt8, Sendable, CaseIterable {
    /// Samples above the threshold.
    case width = 0
    /// Their sum.
    case area = 1
    case peak = 2
    /// A 1 per pulse.
    case detection = 3
  }

  static let code: UInt8 = 0x0B
  let name = "pulse"
  var output: Output
  /// Bytes of the source, 1–4.
  var length: Int
  /// In the board's counts.
  var threshold: Int32
  /// The fewest samples that make a pulse.
  var samples: UInt16

  var bytes: [UInt8] {
    // The second byte is the trigger; width is the only one there is.
    var bytes = [UInt8(truncatingIfNeeded: length &- 1), 0, output.rawValue]
    bytes.append(number: threshold)
    bytes.append(number: samples)
    return bytes
  }

  init(_ output: Output, threshold: Double, samples: UInt16, of input: SampleLayout) {
    (self.output, self.samples, length) = (output, samples, input.elementLength)
    self.threshold = Int32(truncatingIfNeeded: (input.numbers ?? .plain(1)).counts(threshold))
  }

  init?(_ bytes: [UInt8], on dialect: ProcessorDialect) {
    guard bytes.count >= 9, let output = Output(rawValue: bytes[2]),
      let threshold = bytes.number(at: 3, as: Int32.self), let samples = bytes.number(at: 7, as: UInt16.self)
    else { return nil }
    (self.output, length, self.threshold, self.samples) = (output, Int(bytes[0]) + 1, threshold, samples)
  }

  func output(of input: SampleLayout, with buffers: [SampleLayout]) -> SampleLayout {
    switch output {
    case .width: return .numbers(.plain(2))
    case .detection: return .numbers(.plain(1))
    case .peak: return input
    case .area:
      guard var numbers = input.numbers else { return .numbers(.plain(4)) }
      (numbers.channels, numbers.width) = (1, 4)
      return .numbers(numbers)
    }
  }

  func refusal(of input: SampleLayout, on dialect: ProcessorDialect) -> ProcessorRefusal? {
    if output != .detection, dialect.hasOnlyPulseDetection {
      return .board("yields detections alone since firmware 1.7")
    }
    if (input.numbers?.channels ?? 1) > 1 { return "takes one number, not a vector" }
    return ProcessorOperations.refusal(of: input, atMost: 4)
  }
}
