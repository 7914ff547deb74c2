/// How fast a board's crystal may run at any moment: our time that passes in one second of the board's, less one.
public struct CrystalRate: Hashable, Sendable {
  /// Least and most, as fractions (1e-6 = 1 ppm). Negative: the board's clock is fast.
  public var range: ClosedRange<Double>

  /// Takes a range.
  public init(_ range: ClosedRange<Double>) { self.range = range }

  /// Of a crystal nobody has measured: five times what its makers promise, so that also a bad one in the cold stays
  /// inside (fault F46: 100 ppm and temperature steps).
  public static let unmeasured = CrystalRate(-200e-6...200e-6)

  /// How far a crystal's rate strays from its own mean: a tuning fork loses 0.035 ppm/K², so 70 ppm from 25 °C to -20
  /// °C, and half as much again for what nobody foresaw.
  static let wander = 120e-6

  /// What a mean over a long span says of any moment.
  init(measured mean: ClosedRange<Double>) {
    let prior = Self.unmeasured.range
    let low = max(prior.lowerBound, mean.lowerBound - Self.wander)
    let high = min(prior.upperBound, mean.upperBound + Self.wander)
    range = low <= high ? low...high : prior
  }

  /// What is known after `nanoseconds` of the board's clock of what was known before; negative: before them.
  func advance(_ bounds: TimeBounds, by nanoseconds: Int64) -> TimeBounds {
    let span = Double(nanoseconds)
    let one = Int64(span * range.lowerBound)
    let other = Int64(span * range.upperBound)
    return TimeBounds(
      Timestamp(nanoseconds: bounds.earliest.nanoseconds &+ nanoseconds &+ min(one, other)),
      Timestamp(nanoseconds: bounds.latest.nanoseconds &+ nanoseconds &+ max(one, other)))
  }
}
