import FleetModel

/// Counts what is missing after a stall. Packets that nobody reads pile up and then come all at once, unless they were
/// more than the kernel's socket or the board's buffer holds: then some are dropped without a word (fault F24). But a
/// sensor that runs at a known rate must have sent so many.
struct StallCount: Sendable {
  /// Samples that never came.
  struct Missed: Hashable, Sendable {
    var count: Int
    /// Stamps of the last sample before the stall and of the first after it.
    var from, to: Timestamp
    /// When the stall began, by uptime.
    var since: Duration
  }

  /// No sample for this long, and for so many periods, is a stall.
  static let stall = Duration.seconds(1)
  static let stallPeriods = 8
  /// How long what has piled up may take to come in.
  static let settling = Duration.seconds(1)
  /// How far a sensor's rate may be off, as a share.
  static let tolerance = 0.05

  private struct Count {
    let since: Duration
    let from, to: Timestamp
    let until: Duration
    var samples = 1
  }

  private let period: Duration
  private let threshold: Duration
  private var last: (uptime: Duration, stamp: Timestamp)?
  private var count: Count?

  init(period: Duration) {
    self.period = period
    threshold = max(Self.stall, period * Self.stallPeriods)
  }

  /// Takes one sample. Returns what an earlier stall turns out to have cost.
  mutating func arrived(at uptime: Duration, stamp: Timestamp) -> Missed? {
    defer { last = (uptime, stamp) }
    guard let last else { return nil }
    let isStall = uptime - last.uptime > threshold
    if let count, !isStall, uptime <= count.until {
      self.count?.samples += 1
      return nil
    }
    let missed = count.flatMap { judge($0, until: last.uptime) }
    count =
      isStall
      ? Count(since: last.uptime, from: last.stamp, to: stamp, until: uptime + Self.settling) : nil
    return missed
  }

  private func judge(_ count: Count, until end: Duration) -> Missed? {
    let expected = (end - count.since) / period
    let missing = expected - Double(count.samples)
    // A packet carries three samples, and may be on its way at either end.
    guard missing > max(expected * Self.tolerance, 6) else { return nil }
    return Missed(count: Int(missing.rounded()), from: count.from, to: count.to, since: count.since)
  }
}
