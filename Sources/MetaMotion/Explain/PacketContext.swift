/// What earlier packets, or a person, have said about the board: some bytes mean nothing without it.
package struct PacketContext: Hashable, Sendable {
  /// The accelerometer's chip; nil while unknown.
  var chip: Accelerometer.Chip?
  /// The full scales that are known.
  var scales = SignalScales()
  /// What the temperature channels measure; empty while unknown.
  var temperatureSources: [Temperature.Source?] = []

  /// Nothing is known yet.
  package init() {}

  /// Takes the product's name (`R`, `MetaMotion RL`) and a full scale in g; nil when there is no such thing.
  package init?(model: String?, rangeG: Int?) {
    if let model {
      let word = model.uppercased().split(separator: " ").last.map(String.init) ?? ""
      guard ["R", "RL", "S"].contains(word) else { return nil }
      // Told apart by their chips (protocol reference, section 3.3).
      chip = word == "S" ? .bmi270 : .bmi160
    }
    if let rangeG {
      guard let range = AccelerationRange(rawValue: rangeG) else { return nil }
      scales[Accelerometer.range] = Double(range.rawValue)
    }
  }
}
