/// Holds back so many samples and puts out the oldest.
struct DelayProcessor: DataProcessor {
  private let depth: Int
  private var samples: [[UInt8]] = []

  init?(configuration: [UInt8]) {
    guard configuration.count == 2, configuration[0] & 0xF0 == 0 else { return nil }
    depth = Int(configuration[1])
  }

  mutating func process(_ input: [UInt8], _ moment: ProcessorMoment) -> [UInt8]? {
    samples.append(input)
    return samples.count > depth ? samples.removeFirst() : nil
  }
}
