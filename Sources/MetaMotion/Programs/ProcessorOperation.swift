/// What a processor does, with its configuration in the board's own terms. One file per type; `all` lists them.
protocol ProcessorOperation: Hashable, Sendable {
  /// The type's number on the wire (protocol reference, section 14.3).
  static var code: UInt8 { get }
  /// The segment in canonical names (section 29.1).
  var name: String { get }
  /// The configuration.
  var bytes: [UInt8] { get }
  /// Reads a configuration as a board tells it, perhaps padded with zeros; nil when it is too short.
  init?(_ bytes: [UInt8], on dialect: ProcessorDialect)
  /// What comes out when `input` goes in; `buffers` are the other inputs of a fuser.
  func output(of input: SampleLayout, with buffers: [SampleLayout]) -> SampleLayout
  /// What the slot keeps and tells when asked; nil when it keeps nothing that has a layout.
  func state(of input: SampleLayout) -> SampleLayout?
  /// Whether an empty write to what the slot keeps does anything (protocol reference, section 14.3).
  var isResettable: Bool { get }
  /// Whether samples change what the slot keeps, so that it may differ from what was just written.
  var isMoving: Bool { get }
  /// Why it cannot work on `input`; nil when it can.
  func refusal(of input: SampleLayout, on dialect: ProcessorDialect) -> ProcessorRefusal?
}

extension ProcessorOperation {
  func output(of input: SampleLayout) -> SampleLayout { output(of: input, with: []) }
  func state(of input: SampleLayout) -> SampleLayout? { nil }
  var isResettable: Bool { false }
  var isMoving: Bool { false }

  /// The limit of most types: whole numbers, four bytes of source (section 14.3).
  func refusal(of input: SampleLayout, on dialect: ProcessorDialect) -> ProcessorRefusal? {
    ProcessorOperations.refusal(of: input, atMost: 4)
  }

  /// What the slot is to keep, in its unit; nil when it keeps no number.
  func stateBytes(_ value: Double, of input: SampleLayout) -> [UInt8]? {
    guard let numbers = state(of: input)?.numbers, numbers.channels == 1, !numbers.isFloat else { return nil }
    let counts = numbers.counts(value)
    return (0..<numbers.width).map { UInt8(truncatingIfNeeded: counts >> Int64(8 * $0)) }
  }
}

/// Why a processor cannot be had.
struct ProcessorRefusal: Hashable, Sendable, ExpressibleByStringInterpolation {
  let reason: String
  /// Whether it is this board that cannot, and not the chain that is wrong.
  var isOfBoard = false

  init(stringLiteral reason: String) { self.reason = reason }

  /// Another board might.
  static func board(_ reason: String) -> ProcessorRefusal {
    var refusal = ProcessorRefusal(stringLiteral: reason)
    refusal.isOfBoard = true
    return refusal
  }
}

/// Every type there is.
enum ProcessorOperations {
  static let all: [any ProcessorOperation.Type] = [
    Passthrough.self, Accumulator.self, Average.self, Comparator.self, Combiner.self, TimeLimiter.self,
    MathOperation.self, SampleDelay.self, Pulse.self, Delta.self, Threshold.self, Buffer.self, Packer.self,
    Accounter.self, Fuser.self,
  ]

  /// Reads the configuration of the type `code`; nil for a type no host makes, or bytes that are too few.
  static func decode(_ code: UInt8, _ bytes: [UInt8], on dialect: ProcessorDialect)
    -> (any ProcessorOperation)?
  {
    all.first { $0.code == code }?.init(bytes, on: dialect)
  }

  /// Why `input` is none of whole numbers with at most `limit` bytes; nil when it is.
  static func refusal(of input: SampleLayout, atMost limit: Int) -> ProcessorRefusal? {
    guard let numbers = input.numbers, !numbers.isFloat else {
      return "takes whole numbers, not fractions or records"
    }
    guard input.elementLength <= limit else {
      return "takes at most \(limit) bytes, not \(input.elementLength)"
    }
    return nil
  }

  /// The two bits that hold a length of 1–4; longer ones overflow, as in the vendor's hosts.
  static func lengthBits(_ length: Int, at shift: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: (length &- 1) & 0b11) << shift
  }

  /// Reads `lengthBits`.
  static func length(_ byte: UInt8, at shift: Int) -> Int { Int(byte >> shift & 0b11) + 1 }
}
