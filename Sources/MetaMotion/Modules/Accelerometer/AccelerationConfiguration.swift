import FleetModel

/// What can be chosen about acceleration; the chips take the same values under different codes.
struct AccelerationConfiguration: Hashable, Sendable {
  var rate: AccelerationRate
  var range: AccelerationRange

  /// How detectors run the accelerometer when no stream says otherwise (MQTT contract 2.4): 100 Hz, 4 g.
  static let standardForDetectors = AccelerationConfiguration(
    rate: AccelerationRate(index: 7), range: .g4)

  init(rate: AccelerationRate, range: AccelerationRange) {
    self.rate = rate
    self.range = range
  }

  /// Takes values of the catalogue, in Hz and g; nil when one is not on offer.
  init?(rateHz: Double, rangeG: Double) {
    guard let index = StreamCatalogue.accelerationRates.firstIndex(of: rateHz),
      let whole = Int(exactly: rangeG), let range = AccelerationRange(rawValue: whole)
    else { return nil }
    rate = AccelerationRate(index: index)
    self.range = range
  }
}

/// An output data rate, by its position in the list both chips share (protocol reference, section 7).
struct AccelerationRate: Hashable, Sendable {
  let index: Int

  /// Takes a position in `StreamCatalogue.accelerationRates`, held inside the list.
  init(index: Int) { self.index = min(max(index, 0), StreamCatalogue.accelerationRates.count - 1) }

  var hertz: Double { StreamCatalogue.accelerationRates[index] }

  /// Time from one sample to the next.
  var period: Duration { .nanoseconds(Int64((1e9 / hertz).rounded())) }

  /// The chips' code, 1–12.
  var code: UInt8 { UInt8(index + 1) }

  /// Whether the rate is below 12.5 Hz, the slowest that the chips' ordinary filter serves.
  var isBelowFilter: Bool { hertz < 12.5 }
}

/// A full scale, by its value in g.
enum AccelerationRange: Int, Hashable, Sendable, CaseIterable {
  case g2 = 2
  case g4 = 4
  case g8 = 8
  case g16 = 16

  /// Raw counts per g.
  var countsPerG: Double { Accelerometer.range.countsPerUnit(Double(rawValue)) }
}
