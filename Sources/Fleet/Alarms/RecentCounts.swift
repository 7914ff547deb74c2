/// What was counted in the last minutes, from counters that only grow. Pure; times are uptimes.
struct RecentCounts: Sendable {
  /// The counters, or how far they grew.
  struct Amounts: Hashable, Sendable {
    var samplesIn = 0
    /// Samples that are lost, or were given up.
    var samplesMissing = 0
    var commandsFailed = 0

    init(samplesIn: Int = 0, samplesMissing: Int = 0, commandsFailed: Int = 0) {
      (self.samplesIn, self.samplesMissing) = (samplesIn, samplesMissing)
      self.commandsFailed = commandsFailed
    }

    fileprivate static func - (new: Amounts, old: Amounts) -> Amounts {
      Amounts(
        samplesIn: new.samplesIn - old.samplesIn, samplesMissing: new.samplesMissing - old.samplesMissing,
        commandsFailed: new.commandsFailed - old.commandsFailed)
    }
  }

  /// How far back is looked; and a reading is kept so often.
  static let span = Duration.seconds(900)
  private static let spacing = Duration.seconds(30)

  private var readings: [(time: Duration, amounts: Amounts)] = []

  /// Takes what the counters say. Returns how far they grew in the last `span`.
  mutating func take(_ amounts: Amounts, at uptime: Duration) -> Amounts {
    // One that is older than the span stays: what is looked at is never shorter.
    while readings.count > 1, uptime - readings[1].time >= Self.span { readings.removeFirst() }
    let growth = amounts - (readings.first?.amounts ?? amounts)
    if readings.last.map({ uptime - $0.time >= Self.spacing }) ?? true { readings.append((uptime, amounts)) }
    return growth
  }
}
