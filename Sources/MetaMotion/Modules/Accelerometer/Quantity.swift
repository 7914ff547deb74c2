import FleetModel

/// A fine-grained quantity as a chip takes it: in steps. Keys are replaced by what the chip will use (MQTT contract
/// 2.1).
struct Quantity {
  let stream: String
  /// The configuration, in which values become effective ones.
  private(set) var keys: JSONObject

  init(_ order: StreamOrder) {
    stream = order.name
    keys = order.configuration
  }

  /// Takes `key`, or `standard` where it is left out, in steps of `step` from `first` on; throws when that is outside
  /// the chip's `limits`.
  mutating func steps(
    _ key: String, standard: Double, step: Double, from first: Double = 0, limits: ClosedRange<Int>,
    rounding: FloatingPointRoundingRule = .down
  ) throws(CommandFailure) -> Int {
    let value = keys[key]?.number ?? standard
    // A hair above the step, so that multiples of it stay what they are.
    let steps = ((value - first) / step + (rounding == .down ? 1e-9 : 0)).rounded(rounding)
    guard steps >= Double(limits.lowerBound), steps <= Double(limits.upperBound) else {
      let least = ParameterType.plain(first + Double(limits.lowerBound) * step)
      let most = ParameterType.plain(first + Double(limits.upperBound) * step)
      throw .invalid("\(key) \(ParameterType.plain(value)) of \(stream) must be from \(least) to \(most)")
    }
    set(key, first + steps * step)
    return Int(steps)
  }

  /// Takes a whole number, or `standard` where it is left out.
  mutating func whole(_ key: String, standard: Int64) -> Int {
    let value = keys[key]?.integer ?? standard
    keys[key] = .integer(value)
    return Int(value)
  }

  /// Takes a word.
  mutating func word(_ key: String, standard: String) -> String {
    let word = keys[key]?.string ?? standard
    keys[key] = .string(word)
    return word
  }

  /// Takes a number that is on a list; its position.
  mutating func position(_ key: String, standard: Double, in list: [Double]) -> UInt8 {
    let value = keys[key]?.number ?? standard
    let index = list.firstIndex(of: value) ?? 0
    set(key, list[index])
    return UInt8(index)
  }

  /// States when the value is polled.
  mutating func keepPolling(_ rule: ScheduleRule) { keys["every"] = rule.document }

  /// States what the chip will use.
  mutating func set(_ key: String, _ value: Double) {
    let rounded = (value * 1e6).rounded() / 1e6
    keys[key] = Int64(exactly: rounded).map { .integer($0) } ?? .number(rounded)
  }

  /// Refuses keys that only the other chip knows.
  func refuse(_ others: [String], of chip: Accelerometer.Chip) throws(CommandFailure) {
    for key in others where keys[key] != nil {
      throw .invalid("\(stream) of the \(chip.rawValue) has no key \(key); it belongs to another chip")
    }
  }
}
