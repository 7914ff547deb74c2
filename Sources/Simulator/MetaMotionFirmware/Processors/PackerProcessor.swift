/// Collects values and puts them out together, as many as fit.
struct PackerProcessor: DataProcessor {
  /// What a notification holds behind its id.
  static let longestOutput = 17

  private let length: Int
  private let count: Int
  private var collected: [UInt8] = []
  private var samples = 0

  init?(configuration: [UInt8]) {
    guard configuration.count == 2 else { return nil }
    length = Int(configuration[0] & 0x1F) + 1
    count = Int(configuration[1] & 0x1F) + 1
  }

  mutating func process(_ input: [UInt8], _ moment: ProcessorMoment) -> [UInt8]? {
    collected += input.prefix(length)
    samples += 1
    guard samples >= count else { return nil }
    defer { drop() }
    return Array(collected.prefix(Self.longestOutput))
  }

  mutating func setState(_ bytes: [UInt8]) { if bytes.isEmpty { drop() } }

  private mutating func drop() {
    collected = []
    samples = 0
  }
}
