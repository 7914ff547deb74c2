import FleetModel

/// The samples of a short measurement of acceleration: how many, how fast, and how large.
struct AccelerationMeasurement: Sendable {
  private(set) var samples = 0
  private var first: (time: Timestamp, samples: Int)?
  private var last: Timestamp?
  private var sum = 0.0

  /// Takes the samples of one packet, each of them three values in g.
  mutating func take(_ vectors: [[Double]], at arrival: Timestamp) {
    guard !vectors.isEmpty else { return }
    if first == nil { first = (arrival, vectors.count) }
    last = arrival
    samples += vectors.count
    for vector in vectors { sum += vector.reduce(0) { $0 + $1 * $1 }.squareRoot() }
  }

  /// Samples a second; nil before the second packet. Those of the first packet were measured before it arrived.
  var rate: Double? {
    guard let first, let last, last > first.time else { return nil }
    let seconds = Double((last - first.time).wholeNanoseconds) / 1e9
    return Double(samples - first.samples) / seconds
  }

  /// The mean magnitude in g; nil without samples.
  var magnitude: Double? { samples > 0 ? sum / Double(samples) : nil }
}
