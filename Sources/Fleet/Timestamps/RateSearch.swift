/// Finds the rate of a sensor whose packets come later than expected: the rate at which fewest of them have to have
/// been late, and fewest others lost between them. A packet may be late, and is never early; where one was lost, all
/// behind it come later by what one spans.
///
/// All numbers are assumed. They were chosen by simulated links: a host that stands still now and then in the first
/// seconds of a sensor that is a third too slow, and a link that loses up to three packets of ten of one that is not.
struct RateSearch: Sendable {
  /// A packet that came.
  struct Packet: Hashable, Sendable {
    /// When, in nanoseconds since the first one.
    var arrival: Double
    /// How much of the board's time it lies behind the first one, in nanoseconds.
    var position: Double
  }

  /// No sensor is slower than by this factor.
  private static let slowest = 2.1
  /// Sensors are slower by up to this factor without anything being wrong with them.
  private static let usual = 1.06
  /// Steps from one rate to the next.
  private static let coarse = 1.01
  private static let fine = 1.001
  /// What one lost packet costs, where one that is late by all that it spans, or by more, costs one.
  private static let costOfLost = 0.5
  /// An unusual rate has to explain so many times as much.
  private static let evidence = 1.5
  /// Rates whose costs differ by less explain packets alike.
  private static let difference = 0.5

  let packets: [Packet]
  /// What one packet spans of the board's time, in nanoseconds.
  let span: Double

  /// The rate that explains the packets best, as our time in one second of the board's: the `known` one where no other
  /// explains more, one near it unless a slower one explains much more. The more `windows` the known one was right in,
  /// the more that has to be.
  func best(near known: Double, rightIn windows: Int) -> Double {
    var usual = best(from: known, by: Self.usual)
    let cost = cost(of: known)
    if cost < usual.cost + Self.difference { usual = (known, cost) }
    // No other explains them for less than nothing.
    let least = Self.evidence * (1 + Double(windows))
    guard usual.cost > least else { return usual.rate }
    let other = best(from: known, by: Self.slowest)
    return usual.cost > least + Self.evidence * other.cost ? other.rate : usual.rate
  }

  /// The best of the rates that are slower than one by up to a factor.
  private func best(from fastest: Double, by factor: Double) -> (rate: Double, cost: Double) {
    let rough = best(from: fastest, to: fastest * factor, by: Self.coarse).rate
    return best(from: rough / Self.coarse, to: rough * Self.coarse, by: Self.fine)
  }

  private func best(from fastest: Double, to slowest: Double, by factor: Double) -> (
    rate: Double, cost: Double
  ) {
    var found = (rate: fastest, cost: Double.infinity)
    var rate = fastest
    while rate <= slowest {
      let cost = cost(of: rate)
      if cost < found.cost { found = (rate, cost) }
      rate *= factor
    }
    return found
  }

  /// What it costs to explain all packets by a rate.
  func cost(of rate: Double) -> Double {
    let packet = span * rate
    // The lateness that stays: that of the earliest packet from each on.
    var stays = [Double](repeating: .infinity, count: packets.count + 1)
    for index in packets.indices.reversed() {
      stays[index] = min(stays[index + 1], packets[index].arrival - packets[index].position * rate)
    }
    var (base, cost) = (stays[0], 0.0)
    for index in packets.indices {
      let lost = ((stays[index] - base) / packet).rounded()
      base += lost * packet
      let late = abs(packets[index].arrival - packets[index].position * rate - base) / packet
      cost += lost * Self.costOfLost + min(1, late)
    }
    return cost
  }
}
