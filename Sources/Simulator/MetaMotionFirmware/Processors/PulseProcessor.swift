/// Finds stretches of enough samples above a threshold.
struct PulseProcessor: DataProcessor {
  private enum Output: UInt8, Sendable {
    case width = 0
    case area, peak, onDetect
  }

  private let length: Int
  private let output: Output
  private let threshold: Int64
  private let width: Int
  private var samples = 0
  private var area: Int64 = 0
  private var peak: Int64 = 0

  init?(configuration: [UInt8]) {
    // The trigger on width is the only one there is.
    guard configuration.count == 9, configuration[1] == 0, let output = Output(rawValue: configuration[2]),
      let width = UInt16(littleEndian: configuration, at: 7)
    else { return nil }
    length = Int(configuration[0] & 0x03) + 1
    self.output = output
    threshold = Int64(littleEndian: configuration[3..<7], isSigned: true)
    self.width = Int(width)
  }

  /// Detection is told at once, the rest when the stretch is over.
  mutating func process(_ input: [UInt8], _ moment: ProcessorMoment) -> [UInt8]? {
    let value = Int64(littleEndian: input.prefix(length), isSigned: true)
    if value > threshold {
      peak = samples == 0 ? value : max(peak, value)
      area = samples == 0 ? value : area &+ value
      samples += 1
      return output == .onDetect && samples == max(width, 1) ? [1] : nil
    }
    defer { samples = 0 }
    guard samples > 0, samples >= width else { return nil }
    switch output {
    case .width: return UInt16(clamping: samples).littleEndianBytes
    case .area: return area.littleEndianBytes(count: 4)
    case .peak: return peak.littleEndianBytes(count: length)
    case .onDetect: return nil
    }
  }
}
