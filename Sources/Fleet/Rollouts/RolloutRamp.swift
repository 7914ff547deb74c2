import FleetModel

/// How many boards are begun in an hour: more, each time as many as that have the firmware.
struct RolloutRamp: Hashable, Sendable {
  let perHour: Int
  let growth: Double
  let mostPerHour: Int

  init(_ options: RolloutOptions) {
    perHour = max(options.perHour, 1)
    growth = max(options.growth, 1)
    mostPerHour = max(options.mostPerHour, perHour)
  }

  /// When `successes` boards have it, but for the first ones.
  func rate(behind successes: Int) -> Int {
    var (rate, left) = (perHour, successes)
    while left >= rate, rate < mostPerHour {
      left -= rate
      let grown = Int((Double(rate) * growth).rounded(.down))
      if grown == rate { break }
      rate = min(grown, mostPerHour)
    }
    return rate
  }

  /// Between two boards, rounded up, so that no hour holds one too many.
  func pause(behind successes: Int) -> Duration {
    let rate = rate(behind: successes)
    return .milliseconds((3_600_000 + rate - 1) / rate)
  }
}
