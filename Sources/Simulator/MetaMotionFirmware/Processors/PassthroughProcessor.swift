/// Lets values pass: all, while a count is not zero, or as many as counted.
struct PassthroughProcessor: DataProcessor {
  private enum Mode: UInt8, Sendable {
    case all = 0
    case conditional = 1
    case count = 2
  }

  private let mode: Mode
  private let configuredCount: UInt16
  private var count: UInt16

  init?(configuration: [UInt8]) {
    guard configuration.count == 3, let mode = Mode(rawValue: configuration[0]),
      let count = UInt16(littleEndian: configuration, at: 1)
    else { return nil }
    self.mode = mode
    configuredCount = count
    self.count = count
  }

  mutating func process(_ input: [UInt8], _ moment: ProcessorMoment) -> [UInt8]? {
    switch mode {
    case .all: return input
    case .conditional: return count > 0 ? input : nil
    case .count:
      guard count > 0 else { return nil }
      count -= 1
      return input
    }
  }

  var state: [UInt8]? { count.littleEndianBytes }

  mutating func setState(_ bytes: [UInt8]) {
    if bytes.isEmpty { count = configuredCount }
    if bytes.count == 2 { count = UInt16(littleEndian: bytes) ?? count }
  }
}
