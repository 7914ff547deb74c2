/// How often values fell between fixed bounds, and their sum. Pure.
public struct Histogram: Hashable, Sendable {
  /// Upper ends of the buckets, rising; what is above the last has a bucket of its own.
  public let bounds: [Double]
  /// Of each bucket by itself, that above the last bound included.
  public private(set) var counts: [Int]
  /// Of all values.
  public private(set) var sum = 0.0

  /// An empty one with these rising bounds.
  public init(bounds: [Double]) {
    self.bounds = bounds
    counts = Array(repeating: 0, count: bounds.count + 1)
  }

  /// How many values there were.
  public var count: Int { counts.reduce(0, +) }

  /// How many values were at most each bound, in the order of the bounds.
  public var cumulative: [Int] {
    var total = 0
    return counts.dropLast().map {
      total += $0
      return total
    }
  }

  /// Takes a value that occurred so many times. One below 0 counts as 0; what is no number does not count.
  public mutating func note(_ value: Double, times: Int = 1) {
    guard value.isFinite, times > 0 else { return }
    let value = max(0, value)
    counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += times
    sum += value * Double(times)
  }
}
