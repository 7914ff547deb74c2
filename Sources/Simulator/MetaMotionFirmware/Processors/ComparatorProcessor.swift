/// Compares values with one or more references.
struct ComparatorProcessor: DataProcessor {
  private enum Operation: UInt8, Sendable {
    case equal = 0
    case unequal, less, lessOrEqual, greater, greaterOrEqual

    func holds(_ value: Int64, _ reference: Int64) -> Bool {
      switch self {
      case .equal: value == reference
      case .unequal: value != reference
      case .less: value < reference
      case .lessOrEqual: value <= reference
      case .greater: value > reference
      case .greaterOrEqual: value >= reference
      }
    }
  }

  private enum Mode: UInt8, Sendable {
    case absolute = 0
    case reference, zone, binary
  }

  private static let singleLength = 7

  private let operation: Operation
  private let mode: Mode
  private let isSigned: Bool
  private let references: [Int64]
  private let referenceLength: Int

  init?(configuration: [UInt8]) {
    if let single = Self.single(configuration) {
      self = single
    } else if let packed = Self.packed(configuration) {
      self = packed
    } else {
      return nil
    }
  }

  private init(
    _ operation: Operation, _ mode: Mode, isSigned: Bool, references: [Int64], referenceLength: Int
  ) {
    self.operation = operation
    self.mode = mode
    self.isSigned = isSigned
    self.references = references
    self.referenceLength = referenceLength
  }

  /// One reference of four bytes, the form of old firmware: told apart by its length alone, and hence taken wherever
  /// seven bytes make sense as such, even if a host meant several references (protocol reference 14.3, the trap).
  private static func single(_ bytes: [UInt8]) -> Self? {
    guard bytes.count == singleLength, bytes[0] <= 1, bytes[2] == 0,
      let operation = Operation(rawValue: bytes[1])
    else { return nil }
    let isSigned = bytes[0] & 0x01 != 0
    return Self(
      operation, .absolute, isSigned: isSigned,
      references: [Int64(littleEndian: bytes[3...], isSigned: isSigned)], referenceLength: 4)
  }

  /// One byte, then up to twelve bytes of references.
  private static func packed(_ bytes: [UInt8]) -> Self? {
    guard let first = bytes.first, let operation = Operation(rawValue: first >> 3 & 0x07),
      let mode = Mode(rawValue: first >> 6)
    else { return nil }
    let isSigned = first & 0x01 != 0
    let length = Int(first >> 1 & 0x03) + 1
    let values = bytes.dropFirst()
    guard !values.isEmpty, values.count <= 12, values.count % length == 0 else { return nil }
    let references = stride(from: values.startIndex, to: values.endIndex, by: length).map {
      Int64(littleEndian: values[$0..<$0 + length], isSigned: isSigned)
    }
    return Self(operation, mode, isSigned: isSigned, references: references, referenceLength: length)
  }

  mutating func process(_ input: [UInt8], _ moment: ProcessorMoment) -> [UInt8]? {
    let value = Int64(littleEndian: input, isSigned: isSigned)
    let index = references.firstIndex { operation.holds(value, $0) }
    switch mode {
    case .absolute: return index.map { _ in input }
    case .reference: return index.map { references[$0].littleEndianBytes(count: referenceLength) }
    case .zone: return [UInt8(index ?? references.count)]
    case .binary: return [index == nil ? 0 : 1]
    }
  }
}
