/// Keeps the last value, to be read through its state; puts nothing out.
struct BufferProcessor: DataProcessor {
  /// Longest value.
  private static let longest = 17

  private let length: Int
  private var value: [UInt8]
  /// Whether a value has come since a fuser took the last one.
  private(set) var isFresh = false

  init?(configuration: [UInt8]) {
    guard configuration.count == 1 else { return nil }
    length = Int(configuration[0] & 0x1F) + 1
    guard length <= Self.longest else { return nil }
    value = [UInt8](repeating: 0, count: length)
  }

  mutating func process(_ input: [UInt8], _ moment: ProcessorMoment) -> [UInt8]? {
    value = Self.fitted(input, to: length)
    isFresh = true
    return nil
  }

  var state: [UInt8]? { value }

  mutating func setState(_ bytes: [UInt8]) {
    if bytes.count <= length { value = Self.fitted(bytes, to: length) }
  }

  mutating func takeOver(_ previous: Self) { value = Self.fitted(previous.value, to: length) }

  mutating func markTaken() { isFresh = false }

  private static func fitted(_ bytes: [UInt8], to length: Int) -> [UInt8] {
    Array(bytes.prefix(length)) + [UInt8](repeating: 0, count: max(length - bytes.count, 0))
  }
}
