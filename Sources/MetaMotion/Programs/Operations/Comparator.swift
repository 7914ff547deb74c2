import BoardKit

/// Compares samples with references (protocol reference, section 14.3, type 06).
struct Comparator: ProcessorOperation {
  enum Operation: UInt8, Sendable, CaseIterable {
    case equal = 0, notEqual, less, lessOrEqual, greater, greaterOrEqual
  }

  enum Mode: UInt8, Sendable, CaseIterable {
    /// The value, when it satisfies any reference.
    case absolute = 0
    /// The reference that was satisfied.
    case reference
    /// The place of the first satisfied reference, or how many there are.
    case zone
    /// 1 or 0, for every sample.
    case binary
  }

  static let code: UInt8 = 0x06
  let name = "comparison"
  /// Bytes of all references together that the packed form holds.
  static let referenceLimit = 12

  var operation: Operation
  var mode: Mode
  var isSigned: Bool
  /// Bytes of each reference, 1–4.
  var length: Int
  /// In the board's counts; one alone in the old form.
  var references: [Int64]
  /// Whether the firmware reads the packed form (1.2.3 and later).
  var isPacked: Bool

  var bytes: [UInt8] {
    guard isPacked else {
      var bytes = [isSigned ? 1 : 0, operation.rawValue, 0]
      bytes.append(number: Int32(truncatingIfNeeded: references.first ?? 0))
      return bytes
    }
    let head =
      (isSigned ? 1 : 0) | ProcessorOperations.lengthBits(length, at: 1) | operation.rawValue << 3
      | mode.rawValue << 6
    return references.reduce(into: [head]) { bytes, reference in
      for index in 0..<length { bytes.append(UInt8(truncatingIfNeeded: reference >> Int64(8 * index))) }
    }
  }

  /// Compares `input` with values in its unit.
  init(
    _ operation: Operation, _ references: [Double], _ mode: Mode = .absolute, of input: SampleLayout,
    on dialect: ProcessorDialect
  ) {
    let numbers = input.numbers ?? .plain(1)
    (self.operation, self.mode, isSigned) = (operation, mode, numbers.isSigned)
    length = min(max(1, numbers.width), 4)
    self.references = references.map(numbers.counts)
    isPacked = dialect.hasPackedComparators
  }

  /// The packed form is read as long as its padding allows to tell: zeros at the end may be references or padding, so
  /// no more than `referenceLimit` bytes are taken.
  init?(_ bytes: [UInt8], on dialect: ProcessorDialect) {
    guard let head = bytes.first else { return nil }
    isSigned = head & 1 == 1
    isPacked = dialect.hasPackedComparators
    guard isPacked else {
      guard let operation = bytes.number(at: 1, as: UInt8.self).flatMap(Operation.init),
        let reference = bytes.number(at: 3, as: Int32.self)
      else { return nil }
      (self.operation, mode, length, references) = (operation, .absolute, 4, [Int64(reference)])
      return
    }
    guard let operation = Operation(rawValue: head >> 3 & 0b111), let mode = Mode(rawValue: head >> 6) else {
      return nil
    }
    (self.operation, self.mode) = (operation, mode)
    length = ProcessorOperations.length(head, at: 1)
    references = []
    for start in stride(from: 1, to: min(bytes.count, 1 + Self.referenceLimit), by: length)
    where start + length <= bytes.count {
      let raw = (0..<length).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64(bytes[start + $1]) }
      let shift = UInt64(64 - 8 * length)
      references.append(isSigned ? Int64(bitPattern: raw << shift) >> Int64(shift) : Int64(raw))
    }
  }

  /// The same with its last reference repeated, where the packed form would have the length by which the firmware is
  /// said to recognise the old one (trap T52).
  var unmistakable: Comparator {
    guard isPacked, bytes.count == 7, let last = references.last else { return self }
    var comparator = self
    comparator.references.append(last)
    return comparator
  }

  func output(of input: SampleLayout, with buffers: [SampleLayout]) -> SampleLayout {
    mode == .zone || mode == .binary ? .numbers(.plain(1)) : input
  }

  func refusal(of input: SampleLayout, on dialect: ProcessorDialect) -> ProcessorRefusal? {
    if !dialect.hasPackedComparators, mode != .absolute || references.count > 1 {
      return .board("compares with one value in mode absolute before firmware 1.2.3")
    }
    if isPacked, references.count * length > Self.referenceLimit {
      return "holds \(Self.referenceLimit / length) references of \(length) bytes, not \(references.count)"
    }
    if input.numbers?.width == 3 { return "takes 1, 2 or 4 bytes, not 3" }
    return ProcessorOperations.refusal(of: input, atMost: 4)
  }
}
