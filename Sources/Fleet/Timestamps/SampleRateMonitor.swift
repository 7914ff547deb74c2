import FleetModel

/// Compares how many samples of a stream come with how many the sensor was set to take, over ten seconds or more.
struct SampleRateMonitor: Sendable {
  /// What is counted of a stream, since it began.
  struct Counts: Hashable, Sendable {
    /// Samples that came.
    var came = 0
    /// Samples that are known to be lost.
    var lost = 0
    /// Packets that came twice, and were left out.
    var doubled = 0
  }

  /// How long it counts, and how many samples it wants to have expected.
  private static let span = Duration.seconds(10)
  private static let longestSpan = Duration.seconds(30)
  private static let samples = 20
  /// Fewer expected samples than this tell nothing.
  private static let fewestSamples = 8.0
  /// Share of samples that may be lost, and how many at least, before that is reported.
  private static let lossTolerance = 0.01
  private static let fewestLost = 2
  /// Samples of the packets at both ends of the span, which may or may not be in it.
  private static let ends = 6.0

  /// How far a sensor's rate may be off, as a share, before that is reported. Assumed: of fusion alone it is known that
  /// it keeps its rate within 1 % (protocol reference, section 26); sensors that sleep between samples are given more.
  static func tolerance(ofModule module: String?) -> Double {
    switch module {
    case "magnetometer": 0.1
    case "ambient-light": 0.2
    case "barometer", "humidity": 0.5
    default: 0.05
    }
  }

  private let period: Duration
  private let tolerance: Double
  private let length: Duration
  private var start: (uptime: Duration, counts: Counts)?

  init(period: Duration, tolerance: Double) {
    self.period = max(period, .nanoseconds(1))
    self.tolerance = tolerance
    length = min(max(Self.span, self.period * Self.samples), Self.longestSpan)
  }

  /// Looks at the counts. Returns nil as long as it counts, else what it found; `.some(nil)`: that all is well.
  mutating func update(with counts: Counts, uptime: Duration) -> RateFault?? {
    guard let start else {
      if counts.came > 0 { self.start = (uptime, counts) }
      return nil
    }
    guard uptime - start.uptime >= length else { return nil }
    self.start = (uptime, counts)
    let expected = (uptime - start.uptime) / period
    guard expected >= Self.fewestSamples else { return .some(nil) }
    var found = Counts()
    found.came = counts.came - start.counts.came
    found.lost = counts.lost - start.counts.lost
    found.doubled = counts.doubled - start.counts.doubled
    return .some(judge(found, expected))
  }

  private func judge(_ found: Counts, _ expected: Double) -> RateFault? {
    func fault(_ kind: RateFault.Kind) -> RateFault {
      RateFault(kind: kind, expected: Int(expected.rounded()), counts: found)
    }
    let missing = expected - Double(found.came)
    let slack = max(expected * tolerance, min(Self.ends, expected / 4))
    if found.doubled > 0 { return fault(.doubled) }
    if missing > slack { return fault(Double(found.lost) >= missing / 2 ? .missing : .slow) }
    if -missing > slack { return fault(.fast) }
    return found.lost >= max(Self.fewestLost, Int(expected * Self.lossTolerance)) ? fault(.missing) : nil
  }
}

/// How the count of a stream's samples is not as it should be.
struct RateFault: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// Samples are lost on their way.
    case missing
    /// The sensor takes fewer, or more, than it was set to.
    case slow, fast
    /// Packets come twice.
    case doubled
  }

  var kind: Kind
  /// Samples that the sensor should have taken.
  var expected: Int
  var counts: SampleRateMonitor.Counts

  /// Whether samples are fewer than they should be.
  var isLow: Bool { kind == .missing || kind == .slow }

  /// Type of the event that tells it.
  var type: String {
    switch kind {
    case .missing: "missing"
    case .slow: "slow"
    case .fast: "fast"
    case .doubled: "doubled"
    }
  }

  /// What was counted, by the names of the event's fields.
  var fields: [(String, Int)] {
    [("expected", expected), ("came", counts.came), ("lost", counts.lost), ("doubled", counts.doubled)]
  }

  /// The reason, with a sentence that says what to do. `asked`: samples a second that all streams of the board ask for
  /// together.
  func reason(asked: Double) -> StatedReason {
    let came = "\(counts.came) of \(expected) samples were received"
    switch kind {
    case .missing:
      return StatedReason(
        .samplesMissing,
        "\(came), \(counts.lost) lost: the connection carries less than is configured (\(Int(asked.rounded())) samples a "
          + "second in all streams); lower rate_hz, set packed: on, or bring board and gateway nearer")
    case .slow:
      return StatedReason(
        .sensorSlow,
        "\(came), and only \(counts.lost) known to be lost: the sensor is slower than its rate_hz, or packets "
          + "are lost in bursts that cannot be counted")
    case .fast:
      return StatedReason(
        .sensorFast,
        "\(counts.came) samples were received instead of \(expected): the sensor is faster than its rate_hz, or "
          + "duplicate packets could not be recognised")
    case .doubled:
      return StatedReason(
        .packetsDoubled, "\(CountText.of(counts.doubled, "duplicate packet")) dropped")
    }
  }
}
