import FleetModel

/// A 100 mAh cell: falls within ten hours of use, as while streaming fusion (protocol reference 36), and rises
/// within two on external power.
package struct Battery: Sendable {
  private static let percentPerSecondInUse = -100.0 / (10 * 3600)
  private static let percentPerSecondCharging = 100.0 / (2 * 3600)

  /// Charge in percent and the cell's voltage in mV; 99 % and 4148 mV were seen together.
  private static let discharge: [(percent: Double, millivolts: Double)] = [
    (0, 3300), (10, 3620), (25, 3710), (50, 3800), (75, 3950), (90, 4070), (99, 4148), (100, 4160),
  ]

  private var reference: Double
  private var referenceTime: Duration
  package private(set) var hasExternalPower = false

  package init(seed: UInt64, at now: Duration) {
    var random = SeededGenerator(seed: seed)
    reference = .random(in: 65...100, using: &random)
    referenceTime = now
  }

  /// Stays above empty: a simulated board never dies of its battery by itself.
  package func percent(at now: Duration) -> UInt8 { UInt8(level(at: now)) }

  package func millivolts(at now: Duration) -> UInt16 {
    let level = level(at: now)
    guard let upper = Self.discharge.firstIndex(where: { $0.percent >= level }), upper > 0 else {
      return 3300
    }
    let (low, high) = (Self.discharge[upper - 1], Self.discharge[upper])
    let share = (level - low.percent) / (high.percent - low.percent)
    return UInt16(low.millivolts + share * (high.millivolts - low.millivolts))
  }

  package func isCharging(at now: Duration) -> Bool { hasExternalPower && level(at: now) < 100 }

  /// When the charge that is going on will be complete; nil if there is none.
  func chargeEnds(after now: Duration) -> Duration? {
    guard isCharging(at: now) else { return nil }
    return now + .seconds((100 - level(at: now)) / Self.percentPerSecondCharging + 0.001)
  }

  /// When the percentage will be another one; nil if it stays.
  func nextChange(after now: Duration) -> Duration? {
    let level = level(at: now)
    let distance = hasExternalPower ? level.rounded(.down) + 1 - level : level - level.rounded(.down)
    guard hasExternalPower ? level < 100 : level > 1 else { return nil }
    return now + .seconds(distance / abs(rate) + 0.001)
  }

  package mutating func setExternalPower(_ isPresent: Bool, at now: Duration) {
    set(percent: level(at: now), at: now)
    hasExternalPower = isPresent
  }

  /// Puts the charge to a value of the caller's choice, from which it goes on.
  package mutating func set(percent: Double, at now: Duration) {
    guard percent.isFinite else { return }
    reference = min(max(percent, 1), 100)
    referenceTime = now
  }

  private var rate: Double {
    hasExternalPower ? Self.percentPerSecondCharging : Self.percentPerSecondInUse
  }

  private func level(at now: Duration) -> Double {
    min(max(reference + rate * (now - referenceTime).inSeconds, 1), 100)
  }
}
