import BoardKit

/// What counts mean at present, as far as the ranges of sensors are known.
struct SignalScales: Hashable, Sendable {
  /// By the register in which the sensor's settings stand.
  private var ranges: [Register: Double] = [:]

  /// The range in the unit of the samples; nil while it is not known.
  subscript(_ range: SensorRange) -> Double? {
    get { ranges[range.settings] }
    set { ranges[range.settings] = newValue }
  }

  /// The same with a sensor at a range; the chips' start where that is nil.
  func setting(_ range: SensorRange, to value: Double?) -> SignalScales {
    var scales = self
    scales[range] = value
    return scales
  }

  /// Counts per unit; as the chips start where the range is not known.
  func countsPerUnit(_ scale: SensorSignal.Scale) -> Double {
    switch scale {
    case .fixed(let counts): counts
    case .ranged(let range): range.countsPerUnit(self[range] ?? range.initial)
    }
  }

  /// Takes what a register holds, be it that of a range: what cannot be read changes nothing.
  mutating func learn(_ register: Register, _ payload: [UInt8], on chip: Accelerometer.Chip?) {
    for range in SensorModules.ranges where range.settings == register {
      if let decoded = range.decode(payload, chip) { self[range] = decoded }
    }
  }
}
